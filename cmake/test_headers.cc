// Nothing: the precompiled headers of the tests need a target, and a target needs a file.
