// The types of the REST API, and its limits. Generated from src/http/rest/contract/openapi.json: change that, then
// run `npm run types`.

export interface paths {
    "/api/v1/auth/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the first account is still to be made */
        get: operations["getAuthState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an account
         * @description The first account needs the setup token and becomes the administrator.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Log in, by email address or username */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a session: new tokens for a refresh token */
        post: operations["refresh"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public keys of access tokens */
        get: operations["getJwks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How many more images may be uploaded */
        get: operations["getMyLimit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's images, newest first */
        get: operations["listImages"];
        put?: never;
        /** Upload an image, as the body or as the part `file` of a form */
        post: operations["uploadImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One image */
        get: operations["getImage"];
        put?: never;
        post?: never;
        /** Put an image into the trash, or delete it */
        delete: operations["deleteImage"];
        options?: never;
        head?: never;
        /** Change an image in the version that If-Match names */
        patch: operations["changeImage"];
        trace?: never;
    };
    "/api/v1/images/{id}/similar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's images that look like one of them, the nearest first */
        get: operations["listSimilarImages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Show an image in the feed */
        post: operations["shareImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}/unshare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an image out of the feed */
        post: operations["unshareImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Take an image out of the trash */
        post: operations["restoreImage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/images/{id}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A signed link to an image in another size or format */
        post: operations["makeLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a resumable upload (tus 1.0), with its first bytes or without */
        post: operations["createUpload"];
        delete?: never;
        /** What this server knows of tus 1.0 */
        options: operations["getUploadOptions"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Give up an upload */
        delete: operations["cancelUpload"];
        /** What this server knows of tus 1.0 */
        options: operations["getUploadOptionsOf"];
        /**
         * How far a resumable upload is
         * @description Answers 423 instead of any 5xx: clients of tus would give the upload up after those.
         */
        head: operations["getUpload"];
        /** Go on with a resumable upload; its last bytes make it an image */
        patch: operations["appendUpload"];
        trace?: never;
    };
    "/api/v1/uploads/direct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin an upload to the storage itself, by a link */
        post: operations["createDirectUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** What the link of a direct upload leads to when the storage has none of its own */
        put: operations["putUploadContent"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/uploads/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make an image of what was put by the link of a direct upload */
        post: operations["completeUpload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All shared images, newest first */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account's jobs, newest first */
        get: operations["listJobs"];
        put?: never;
        /** Edit an image */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One job */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /** Cancel a job that is still queued */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The ingest record of a medium */
        get: operations["getMediaRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/media/{id}/analysis": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was found in a medium */
        get: operations["getAnalysisRecord"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Opaque; a ULID for what this server made. */
        Id: string;
        Title: string;
        Description: string;
        AltText: string;
        AlbumId: string;
        Tag: string;
        Tags: components["schemas"]["Tag"][];
        Filename: string;
        Email: string;
        /** @description Kept in lower case. */
        Username: string;
        Password: string;
        /**
         * @description Whether the image is in the feed.
         * @enum {unknown}
         */
        Visibility: "private" | "shared";
        /** @description After so many seconds the image is deleted. */
        ImageLifetime: number;
        /**
         * @description Where the tokens are kept: in cookies that no script can read, or by the client.
         * @enum {unknown}
         */
        SessionKind: "cookie" | "token";
        AuthState: {
            /** @description No account has been made yet; the first needs the setup token. */
            setupRequired: boolean;
            /** @description Whether new accounts are taken. */
            signUpOpen: boolean;
        };
        SignUp: {
            email: components["schemas"]["Email"];
            username: components["schemas"]["Username"];
            password: components["schemas"]["Password"];
            /** @description For the first account: what stands in `setup-token` of the data directory. */
            setupToken?: string;
            session?: components["schemas"]["SessionKind"];
        };
        /** @description One of `email` and `username` is needed. */
        LogIn: {
            email?: string;
            username?: string;
            password: string;
            session?: components["schemas"]["SessionKind"];
        };
        Refresh: {
            /** @description Not with `session: cookie`, whose token is in a cookie. */
            refreshToken?: string;
            session?: components["schemas"]["SessionKind"];
        };
        User: {
            userId: components["schemas"]["Id"];
            email: string;
            username: string;
            administrator: boolean;
        };
        Me: {
            userId: components["schemas"]["Id"];
            email: string;
            username: string;
            administrator: boolean;
            /** @description For X-CSRF-Token; only when the session is kept in cookies. */
            csrfToken?: string;
        };
        TokenSession: {
            /** @description For `Authorization: Bearer`. */
            accessToken: string;
            refreshToken: string;
            /** @constant */
            tokenType: "Bearer";
            user: components["schemas"]["User"];
        };
        CookieSession: {
            /** @description For X-CSRF-Token on every unsafe request. */
            csrfToken: string;
            user: components["schemas"]["User"];
        };
        SignedIn: components["schemas"]["TokenSession"] | components["schemas"]["CookieSession"];
        Limit: {
            /** @description How many more images the account may upload. */
            limit: number;
        };
        Jwks: {
            keys: {
                kty: string;
                kid: string;
            }[];
        };
        UploadForm: {
            file: string;
            title?: components["schemas"]["Title"];
            albumId?: components["schemas"]["AlbumId"];
            visibility?: components["schemas"]["Visibility"];
            expiresIn?: components["schemas"]["ImageLifetime"];
        };
        DirectUpload: {
            filename?: components["schemas"]["Filename"];
            size: number;
            contentType?: string;
            sha256?: string;
            title?: components["schemas"]["Title"];
            albumId?: components["schemas"]["AlbumId"];
            visibility?: components["schemas"]["Visibility"];
            expiresIn?: components["schemas"]["ImageLifetime"];
        };
        DirectUploadLink: {
            id: components["schemas"]["Id"];
            /** @constant */
            method: "PUT";
            /** @description Where to put the file, within `expiresAt`. */
            url: string;
            /** @description To be sent as they are. */
            headers: {
                [key: string]: string;
            };
            /** Format: date-time */
            expiresAt: string;
        };
        /** @enum {unknown} */
        ProcessingStatus: "pending" | "processing" | "completed" | "failed";
        /** @description Signed links by size, good for an hour or two. Before an image is developed there are none. */
        Sizes: {
            ORIGINAL?: string;
            LARGE?: string;
            MEDIUM?: string;
            SMALL?: string;
            THUMB?: string;
        };
        Place: {
            latitude: number;
            longitude: number;
            altitude?: number;
        };
        Exif: {
            camera?: string;
            lens?: string;
            iso?: number;
            shutterSpeed?: string;
            takenAt?: string;
            aperture?: number;
            focalLength?: number;
            gps?: components["schemas"]["Place"];
        };
        /** @description One image of the account: the attributes of ImageMetadata without the table's keys. */
        Image: {
            id: components["schemas"]["Id"];
            userId: components["schemas"]["Id"];
            albumId?: string;
            originalFilename: string;
            mimeType: string;
            fileSize: number;
            processedSize: number;
            /** @description Pixels of the current revision; 0 until it is developed. */
            width: number;
            height: number;
            aspectRatio: number;
            s3Key: string;
            s3Bucket: string;
            thumbnailKey: string;
            /** @description Signed. */
            imageUrl: string;
            /** @description Signed. */
            thumbnailUrl: string;
            processingStatus: components["schemas"]["ProcessingStatus"];
            processingError?: string;
            format: string;
            quality: number;
            title?: string;
            description?: string;
            altText?: string;
            tags: string[];
            exifData?: components["schemas"]["Exif"];
            /** @description What to paint until the picture is there. */
            blurhash?: string;
            dominantColors?: string[];
            perceptualHash?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            uploadedAt: string;
            /** Format: date-time */
            trashedAt?: string;
            /** @description When it is deleted, in seconds since 1970. */
            ttl?: number;
            /** @description Raised by every change that a person makes; the ETag. */
            version: number;
            /** @description The number of its newest edit; 0 is the upload. */
            revision: number;
            visibility: components["schemas"]["Visibility"];
            sizes?: components["schemas"]["Sizes"];
        };
        /** @description For `cursor`; null at the end of the list. */
        Cursor: string | null;
        ImagePage: {
            items: components["schemas"]["Image"][];
            lastEvaluatedKey: components["schemas"]["Cursor"];
            hasMore: boolean;
        };
        SimilarImage: {
            /** @description In how many bits of 64 the two differ. */
            distance: number;
            image: components["schemas"]["Image"];
        };
        SimilarImages: {
            items: components["schemas"]["SimilarImage"][];
            /** @description False when there were too many candidates to look at all. */
            complete: boolean;
        };
        /** @description What is left out stays; null removes it. */
        ImageChange: {
            title?: components["schemas"]["Title"] | null;
            description?: components["schemas"]["Description"] | null;
            altText?: components["schemas"]["AltText"] | null;
            albumId?: components["schemas"]["AlbumId"] | null;
            tags?: components["schemas"]["Tags"] | null;
        };
        Deletion: {
            id: components["schemas"]["Id"];
            /** @enum {unknown} */
            state: "trashed" | "deleting";
        };
        FeedVariants: {
            large: string;
            medium: string;
            processedAt: string;
        };
        /** @description One shared image, in the shape of the Sparks document. */
        FeedImage: {
            imageId: components["schemas"]["Id"];
            uploadedBy: string;
            /** Format: date-time */
            uploaded_datetime: string;
            /** Format: date-time */
            lastModified: string;
            s3Key: string;
            /** @description The document's keys, which are no links. */
            images?: components["schemas"]["FeedVariants"];
            persons: string[];
            tags: string[];
            title?: string;
            description?: string;
            altText?: string;
            width?: number;
            height?: number;
            blurhash?: string;
            sizes?: components["schemas"]["Sizes"];
        };
        FeedPage: {
            images: components["schemas"]["FeedImage"][];
            lastEvaluatedKey: components["schemas"]["Cursor"];
        };
        Rotate: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "rotate";
            /** @enum {unknown} */
            degrees: 90 | 180 | 270;
        };
        Crop: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "crop";
            left: number;
            top: number;
            width: number;
            height: number;
        };
        AutoLevels: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "auto_levels";
        };
        BlackAndWhite: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            op: "black_and_white";
        };
        EditOperation: components["schemas"]["Rotate"] | components["schemas"]["Crop"] | components["schemas"]["AutoLevels"] | components["schemas"]["BlackAndWhite"];
        JobRequest: {
            imageId: components["schemas"]["Id"];
            /** @enum {unknown} */
            provider: "local" | "stub";
            operations: components["schemas"]["EditOperation"][];
        };
        /** @enum {unknown} */
        JobStatus: "QUEUED" | "PROCESSING" | "EDITING" | "COMPLETED" | "FAILED";
        JobError: {
            code: string;
            message: string;
            retryCount: number;
        };
        EditResult: {
            s3Key: string;
            width: number;
            height: number;
            format: string;
            size: number;
        };
        /** @description An edit, in the attributes of the photo editor's document. */
        Job: {
            jobId: components["schemas"]["Id"];
            userId: components["schemas"]["Id"];
            imageId: components["schemas"]["Id"];
            status: components["schemas"]["JobStatus"];
            /** @description Milliseconds since 1970. */
            createdAt: number;
            /** @description Milliseconds since 1970. */
            updatedAt: number;
            fileSize: number;
            fileType: string;
            originalFileName?: string;
            s3TempKey?: string;
            s3FinalKey?: string;
            provider: string;
            /** @description JSON, as it was sent. */
            operations: string;
            /** @description Milliseconds since 1970. */
            processingStartedAt?: number;
            /** @description Milliseconds since 1970. */
            processingCompletedAt?: number;
            correlationId?: string;
            traceId?: string;
            replayOf?: string;
            /** @description When the record goes, in seconds since 1970. */
            ttl: number;
            editResult?: components["schemas"]["EditResult"];
            error?: components["schemas"]["JobError"];
        };
        JobPage: {
            items: components["schemas"]["Job"][];
            lastEvaluatedKey: components["schemas"]["Cursor"];
            hasMore: boolean;
        };
        /** @description One of `w`, `h` and `size` is needed; `fit` cover needs `w` and `h`. Nothing is enlarged. */
        LinkRequest: {
            w?: number;
            h?: number;
            /** @enum {unknown} */
            size?: "LARGE" | "MEDIUM" | "SMALL" | "THUMB";
            /**
             * @default inside
             * @enum {unknown}
             */
            fit: "inside" | "cover";
            /**
             * @default auto
             * @enum {unknown}
             */
            format: "webp" | "jpeg" | "avif" | "auto";
            q?: number;
        };
        Link: {
            url: string;
            /** Format: date-time */
            expiresAt: string;
        };
        /** @enum {unknown} */
        MediaType: "image" | "video" | "audio" | "document";
        /** @enum {unknown} */
        MediaStatus: "NOT_STARTED" | "IN_PROGRESS" | "COMPLETED" | "ERROR" | "SKIPPED";
        Progress: number;
        MediaChecksum: {
            /** @constant */
            algorithm: "md5";
            fileSize: number;
            computed: string;
            storeClass: string;
        };
        AiOptions: {
            celeb: boolean;
            face: boolean;
            label: boolean;
            transcribe: boolean;
        };
        MediaInput: {
            destination: {
                bucket: string;
                prefix: string;
            };
            aiOptions: components["schemas"]["AiOptions"];
        };
        /** @description The ingest record, in the attributes of Media2Cloud's document. */
        MediaRecord: {
            uuid: components["schemas"]["Id"];
            /** @description Milliseconds since 1970. */
            timestamp: number;
            type: components["schemas"]["MediaType"];
            bucket: string;
            key: string;
            fileSize: number;
            overallStatus: components["schemas"]["MediaStatus"];
            progress: components["schemas"]["Progress"];
            input: components["schemas"]["MediaInput"];
            data: {
                checksum: components["schemas"]["MediaChecksum"];
            };
        };
        AnalysisKind: {
            status: components["schemas"]["MediaStatus"];
            output?: string;
            jobId?: string;
            /** Format: date-time */
            startTime?: string;
            /** Format: date-time */
            endTime?: string;
            reason?: string;
        };
        /** @description What was found in a medium, in the attributes of Media2Cloud's document. */
        AnalysisRecord: {
            uuid: components["schemas"]["Id"];
            /** @description Milliseconds since 1970. */
            timestamp: number;
            type: components["schemas"]["MediaType"];
            overallStatus: components["schemas"]["MediaStatus"];
            progress: components["schemas"]["Progress"];
            /** Format: date-time */
            startTime: string;
            /** Format: date-time */
            endTime: string;
            /** @description By kind, or by service and kind. */
            data: {
                [key: string]: components["schemas"]["AnalysisKind"] | {
                    [key: string]: components["schemas"]["AnalysisKind"];
                };
            };
            /** @description Milliseconds since 1970; only after the document's own update. */
            updatedAt?: number;
        };
        /** @description RFC 9457 problem details. Programs tell problems apart by `code`. */
        Problem: {
            /** @constant */
            type: "about:blank";
            /** @description The status in words. */
            title: string;
            status: number;
            /** @description What is wrong, for people. */
            detail: string;
            code: string;
            requestId: string;
        };
    };
    responses: {
        /** @description The request cannot be understood; `detail` names what is wrong with it. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "InvalidRequest" | "UnknownParameter" | "UnknownField";
                };
            };
        };
        /** @description The request cannot be understood, or the bytes are not those that were announced. */
        InvalidUpload: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "InvalidRequest" | "UnknownParameter" | "UnknownField" | "ChecksumMismatch" | "UnknownChecksumAlgorithm" | "WrongSize";
                };
            };
        };
        /** @description There is no valid access token. */
        NotLoggedIn: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @constant */
                    code?: "NotLoggedIn";
                };
            };
        };
        /** @description The name or the password is wrong. */
        InvalidCredentials: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                "WWW-Authenticate": components["headers"]["Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @constant */
                    code?: "InvalidCredentials";
                };
            };
        };
        /** @description A session in cookies needs X-CSRF-Token on every unsafe request. */
        InvalidCsrfToken: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @constant */
                    code?: "InvalidCsrfToken";
                };
            };
        };
        /** @description New accounts are not taken, or the first one came without the setup token. */
        SignUpRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "SignUpClosed" | "InvalidSetupToken";
                };
            };
        };
        /** @description The account has no uploads left, or X-CSRF-Token is missing. */
        UploadRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "UploadLimitReached" | "InvalidCsrfToken";
                };
            };
        };
        /** @description The link is not signed by this server, or has expired. */
        LinkRefused: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "InvalidSignature" | "LinkExpired";
                };
            };
        };
        /** @description There is nothing of that id that the account may see. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @constant */
                    code?: "NotFound";
                };
            };
        };
        /** @description The state of the resource does not allow this. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @constant */
                    code?: "Conflict";
                };
            };
        };
        /** @description Another account has the email address or the username. */
        NameTaken: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "EmailTaken" | "UsernameTaken";
                };
            };
        };
        /** @description The upload is at another offset. */
        WrongOffset: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "WrongOffset" | "Conflict";
                };
            };
        };
        /** @description The upload was not finished in time. */
        UploadExpired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 410;
                    /** @constant */
                    code?: "UploadExpired";
                };
            };
        };
        /** @description The image has changed since the version that If-Match names. */
        VersionChanged: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 412;
                    /** @constant */
                    code?: "VersionChanged";
                };
            };
        };
        /** @description Tus-Resumable is missing or names another version. */
        UnsupportedTusVersion: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                "Tus-Version": components["headers"]["Text"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 412;
                    /** @constant */
                    code?: "UnsupportedTusVersion";
                };
            };
        };
        /** @description The body is too large. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @constant */
                    code?: "TooLarge";
                };
            };
        };
        /** @description The body is of a type that is not taken. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @constant */
                    code?: "UnsupportedMediaType";
                };
            };
        };
        /** @description Another request is writing to this upload. Try again. */
        UploadInUse: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 423;
                    /** @constant */
                    code?: "UploadInUse";
                };
            };
        };
        /** @description If-Match is missing. */
        VersionRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 428;
                    /** @constant */
                    code?: "VersionRequired";
                };
            };
        };
        /** @description Too many requests in a short time. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @constant */
                    code?: "TooManyRequests";
                };
            };
        };
        /** @description Too many uploads in a short time, or too many that are not finished. */
        TooManyUploads: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {unknown} */
                    code?: "TooManyRequests" | "TooManyUploads";
                };
            };
        };
        /** @description The bytes do not have the checksum that was announced. None were added. */
        ChecksumMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 460;
                    /** @constant */
                    code?: "ChecksumMismatch";
                };
            };
        };
        /** @description The server made a mistake; its log has it under the request's id. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @constant */
                    code?: "Internal";
                };
            };
        };
        /** @description The server is busy, starting, or has no space left. Try again. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestIdOfProblem"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "Overloaded" | "Unavailable";
                };
            };
        };
    };
    parameters: {
        Id: components["schemas"]["Id"];
        /** @description How many entries a page has, at most. */
        Limit: number;
        /** @description `lastEvaluatedKey` of the page before. */
        Cursor: string;
        /** @description Needed when the session is kept in cookies. */
        CsrfToken: string;
        /**
         * @description The ETag of the image that the change is for.
         * @example "3"
         */
        IfMatch: string;
        TusResumable: "1.0.0";
        TusResumableOptional: "1.0.0";
        UploadLength: number;
        UploadOffset: number;
        /**
         * @description filename, title, albumId, visibility, expiresIn, each in base64. Others are kept unread.
         * @example filename cGhvdG8uanBn,visibility c2hhcmVk
         */
        UploadMetadata: string;
        /**
         * @description sha1, sha256 or md5 of the bytes, in base64.
         * @example sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=
         */
        UploadChecksum: string;
    };
    requestBodies: never;
    headers: {
        /** @description The request's id, as the server's log has it. */
        RequestId: string;
        /** @description As `requestId` of the problem. */
        RequestIdOfProblem: string;
        /** @description How to authenticate. */
        Authenticate: "Bearer";
        /** @description How many seconds to wait. */
        RetryAfter: number;
        /** @description The image's version in quotes, for If-Match. */
        ETag: string;
        /** @description Where the new resource is. */
        Location: string;
        /** @description The session, when it is kept in cookies. */
        SetCookie: string;
        /** @description Whether the answer may be kept. */
        CacheControl: string;
        /** @description The version of tus. */
        TusResumable: "1.0.0";
        /** @description How many bytes have been kept. */
        UploadOffset: number;
        /** @description How many bytes the file has. */
        UploadLength: number;
        /** @description Until when the upload has to be finished. */
        UploadExpires: string;
        /** @description As it was sent at the beginning. */
        UploadMetadata: string;
        /** @description The image that the upload has become. */
        ImageId: components["schemas"]["Id"];
        /** @description The account had these bytes already: the image is that one. */
        ImageDuplicate: "true";
        /** @description As tus 1.0 has it. */
        Text: string;
    };
    pathItems: never;
}
export type Id = components['schemas']['Id'];
export type Title = components['schemas']['Title'];
export type Description = components['schemas']['Description'];
export type AltText = components['schemas']['AltText'];
export type AlbumId = components['schemas']['AlbumId'];
export type Tag = components['schemas']['Tag'];
export type Tags = components['schemas']['Tags'];
export type Filename = components['schemas']['Filename'];
export type Email = components['schemas']['Email'];
export type Username = components['schemas']['Username'];
export type Password = components['schemas']['Password'];
export type Visibility = components['schemas']['Visibility'];
export type ImageLifetime = components['schemas']['ImageLifetime'];
export type SessionKind = components['schemas']['SessionKind'];
export type AuthState = components['schemas']['AuthState'];
export type SignUp = components['schemas']['SignUp'];
export type LogIn = components['schemas']['LogIn'];
export type Refresh = components['schemas']['Refresh'];
export type User = components['schemas']['User'];
export type Me = components['schemas']['Me'];
export type TokenSession = components['schemas']['TokenSession'];
export type CookieSession = components['schemas']['CookieSession'];
export type SignedIn = components['schemas']['SignedIn'];
export type Limit = components['schemas']['Limit'];
export type Jwks = components['schemas']['Jwks'];
export type UploadForm = components['schemas']['UploadForm'];
export type DirectUpload = components['schemas']['DirectUpload'];
export type DirectUploadLink = components['schemas']['DirectUploadLink'];
export type ProcessingStatus = components['schemas']['ProcessingStatus'];
export type Sizes = components['schemas']['Sizes'];
export type Place = components['schemas']['Place'];
export type Exif = components['schemas']['Exif'];
export type Image = components['schemas']['Image'];
export type Cursor = components['schemas']['Cursor'];
export type ImagePage = components['schemas']['ImagePage'];
export type SimilarImage = components['schemas']['SimilarImage'];
export type SimilarImages = components['schemas']['SimilarImages'];
export type ImageChange = components['schemas']['ImageChange'];
export type Deletion = components['schemas']['Deletion'];
export type FeedVariants = components['schemas']['FeedVariants'];
export type FeedImage = components['schemas']['FeedImage'];
export type FeedPage = components['schemas']['FeedPage'];
export type Rotate = components['schemas']['Rotate'];
export type Crop = components['schemas']['Crop'];
export type AutoLevels = components['schemas']['AutoLevels'];
export type BlackAndWhite = components['schemas']['BlackAndWhite'];
export type EditOperation = components['schemas']['EditOperation'];
export type JobRequest = components['schemas']['JobRequest'];
export type JobStatus = components['schemas']['JobStatus'];
export type JobError = components['schemas']['JobError'];
export type EditResult = components['schemas']['EditResult'];
export type Job = components['schemas']['Job'];
export type JobPage = components['schemas']['JobPage'];
export type LinkRequest = components['schemas']['LinkRequest'];
export type Link = components['schemas']['Link'];
export type MediaType = components['schemas']['MediaType'];
export type MediaStatus = components['schemas']['MediaStatus'];
export type Progress = components['schemas']['Progress'];
export type MediaChecksum = components['schemas']['MediaChecksum'];
export type AiOptions = components['schemas']['AiOptions'];
export type MediaInput = components['schemas']['MediaInput'];
export type MediaRecord = components['schemas']['MediaRecord'];
export type AnalysisKind = components['schemas']['AnalysisKind'];
export type AnalysisRecord = components['schemas']['AnalysisRecord'];
export type Problem = components['schemas']['Problem'];
export type ResponseInvalidRequest = components['responses']['InvalidRequest'];
export type ResponseInvalidUpload = components['responses']['InvalidUpload'];
export type ResponseNotLoggedIn = components['responses']['NotLoggedIn'];
export type ResponseInvalidCredentials = components['responses']['InvalidCredentials'];
export type ResponseInvalidCsrfToken = components['responses']['InvalidCsrfToken'];
export type ResponseSignUpRefused = components['responses']['SignUpRefused'];
export type ResponseUploadRefused = components['responses']['UploadRefused'];
export type ResponseLinkRefused = components['responses']['LinkRefused'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseNameTaken = components['responses']['NameTaken'];
export type ResponseWrongOffset = components['responses']['WrongOffset'];
export type ResponseUploadExpired = components['responses']['UploadExpired'];
export type ResponseVersionChanged = components['responses']['VersionChanged'];
export type ResponseUnsupportedTusVersion = components['responses']['UnsupportedTusVersion'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseUploadInUse = components['responses']['UploadInUse'];
export type ResponseVersionRequired = components['responses']['VersionRequired'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseTooManyUploads = components['responses']['TooManyUploads'];
export type ResponseChecksumMismatch = components['responses']['ChecksumMismatch'];
export type ResponseInternal = components['responses']['Internal'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ParameterId = components['parameters']['Id'];
export type ParameterLimit = components['parameters']['Limit'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterCsrfToken = components['parameters']['CsrfToken'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterTusResumable = components['parameters']['TusResumable'];
export type ParameterTusResumableOptional = components['parameters']['TusResumableOptional'];
export type ParameterUploadLength = components['parameters']['UploadLength'];
export type ParameterUploadOffset = components['parameters']['UploadOffset'];
export type ParameterUploadMetadata = components['parameters']['UploadMetadata'];
export type ParameterUploadChecksum = components['parameters']['UploadChecksum'];
export type HeaderRequestId = components['headers']['RequestId'];
export type HeaderRequestIdOfProblem = components['headers']['RequestIdOfProblem'];
export type HeaderAuthenticate = components['headers']['Authenticate'];
export type HeaderRetryAfter = components['headers']['RetryAfter'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderLocation = components['headers']['Location'];
export type HeaderSetCookie = components['headers']['SetCookie'];
export type HeaderCacheControl = components['headers']['CacheControl'];
export type HeaderTusResumable = components['headers']['TusResumable'];
export type HeaderUploadOffset = components['headers']['UploadOffset'];
export type HeaderUploadLength = components['headers']['UploadLength'];
export type HeaderUploadExpires = components['headers']['UploadExpires'];
export type HeaderUploadMetadata = components['headers']['UploadMetadata'];
export type HeaderImageId = components['headers']['ImageId'];
export type HeaderImageDuplicate = components['headers']['ImageDuplicate'];
export type HeaderText = components['headers']['Text'];
export type $defs = Record<string, never>;
export interface operations {
    getAuthState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How the server takes accounts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthState"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "username": "ada",
                 *       "password": "correct horse battery"
                 *     }
                 */
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description The session has begun. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            403: components["responses"]["SignUpRefused"];
            409: components["responses"]["NameTaken"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "password": "correct horse battery",
                 *       "session": "token"
                 *     }
                 */
                "application/json": components["schemas"]["LogIn"];
            };
        };
        responses: {
            /** @description The session has begun. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["InvalidCredentials"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    refresh: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "session": "cookie"
                 *     }
                 */
                "application/json": components["schemas"]["Refresh"];
            };
        };
        responses: {
            /** @description The session has begun. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedIn"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Set-Cookie": components["headers"]["SetCookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJwks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Jwks"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMyLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limit. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Limit"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listImages: {
        parameters: {
            query?: {
                /** @description How many entries a page has, at most. */
                limit?: components["parameters"]["Limit"];
                /** @description `lastEvaluatedKey` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImagePage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    uploadImage: {
        parameters: {
            query?: {
                visibility?: components["schemas"]["Visibility"];
                albumId?: components["schemas"]["AlbumId"];
                title?: components["schemas"]["Title"];
                expiresIn?: components["schemas"]["ImageLifetime"];
            };
            header?: {
                /**
                 * @description The file's name, percent-encoded.
                 * @example g%C3%A4nse.jpg
                 */
                "X-Filename"?: string;
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
                "multipart/form-data": components["schemas"]["UploadForm"];
            };
        };
        responses: {
            /** @description The account had these bytes already: that image, out of the trash if it was there. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            /** @description The image, which is still to be developed. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidUpload"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["UploadRefused"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyUploads"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getImage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteImage: {
        parameters: {
            query?: {
                /** @description Delete it at once and for good. */
                permanent?: boolean;
            };
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What becomes of it. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeImage: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The ETag of the image that the change is for.
                 * @example "3"
                 */
                "If-Match": components["parameters"]["IfMatch"];
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "Geese",
                 *       "tags": [
                 *         "birds",
                 *         "lake"
                 *       ],
                 *       "altText": null
                 *     }
                 */
                "application/json": components["schemas"]["ImageChange"];
            };
        };
        responses: {
            /** @description The new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["VersionChanged"];
            413: components["responses"]["TooLarge"];
            428: components["responses"]["VersionRequired"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSimilarImages: {
        parameters: {
            query?: {
                /** @description How many entries a page has, at most. */
                limit?: components["parameters"]["Limit"];
                /** @description In how many bits of 64 two images may differ. */
                distance?: number;
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The nearest images. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimilarImages"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    shareImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    unshareImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    restoreImage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new state. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    makeLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "w": 400,
                 *       "h": 300,
                 *       "fit": "cover",
                 *       "format": "auto"
                 *     }
                 */
                "application/json": components["schemas"]["LinkRequest"];
            };
        };
        responses: {
            /** @description The link. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Link"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUpload: {
        parameters: {
            query?: never;
            header: {
                "Tus-Resumable": components["parameters"]["TusResumable"];
                "Upload-Length": components["parameters"]["UploadLength"];
                /**
                 * @description filename, title, albumId, visibility, expiresIn, each in base64. Others are kept unread.
                 * @example filename cGhvdG8uanBn,visibility c2hhcmVk
                 */
                "Upload-Metadata"?: components["parameters"]["UploadMetadata"];
                /**
                 * @description sha1, sha256 or md5 of the bytes, in base64.
                 * @example sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=
                 */
                "Upload-Checksum"?: components["parameters"]["UploadChecksum"];
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description The upload has begun, or with all its bytes become an image. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    Location: components["headers"]["Location"];
                    "Upload-Offset": components["headers"]["UploadOffset"];
                    "Upload-Expires": components["headers"]["UploadExpires"];
                    "X-Image-Id": components["headers"]["ImageId"];
                    "X-Image-Duplicate": components["headers"]["ImageDuplicate"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidUpload"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["UploadRefused"];
            409: components["responses"]["WrongOffset"];
            412: components["responses"]["UnsupportedTusVersion"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["UploadInUse"];
            429: components["responses"]["TooManyUploads"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUploadOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its versions, extensions and limits. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Tus-Version": components["headers"]["Text"];
                    "Tus-Extension": components["headers"]["Text"];
                    "Tus-Max-Size": components["headers"]["Text"];
                    "Tus-Checksum-Algorithm": components["headers"]["Text"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelUpload: {
        parameters: {
            query?: never;
            header?: {
                "Tus-Resumable"?: components["parameters"]["TusResumableOptional"];
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            412: components["responses"]["UnsupportedTusVersion"];
            423: components["responses"]["UploadInUse"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUploadOptionsOf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its versions, extensions and limits. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Tus-Version": components["headers"]["Text"];
                    "Tus-Extension": components["headers"]["Text"];
                    "Tus-Max-Size": components["headers"]["Text"];
                    "Tus-Checksum-Algorithm": components["headers"]["Text"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header: {
                "Tus-Resumable": components["parameters"]["TusResumable"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How much of it has been kept, or which image it is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Upload-Length": components["headers"]["UploadLength"];
                    "Upload-Metadata": components["headers"]["UploadMetadata"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Upload-Offset": components["headers"]["UploadOffset"];
                    "Upload-Expires": components["headers"]["UploadExpires"];
                    "X-Image-Id": components["headers"]["ImageId"];
                    "X-Image-Duplicate": components["headers"]["ImageDuplicate"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidUpload"];
            401: components["responses"]["NotLoggedIn"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["UploadExpired"];
            412: components["responses"]["UnsupportedTusVersion"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["UploadInUse"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    appendUpload: {
        parameters: {
            query?: never;
            header: {
                "Tus-Resumable": components["parameters"]["TusResumable"];
                "Upload-Offset": components["parameters"]["UploadOffset"];
                /**
                 * @description sha1, sha256 or md5 of the bytes, in base64.
                 * @example sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=
                 */
                "Upload-Checksum"?: components["parameters"]["UploadChecksum"];
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description The bytes are kept. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Upload-Offset": components["headers"]["UploadOffset"];
                    "Upload-Expires": components["headers"]["UploadExpires"];
                    "X-Image-Id": components["headers"]["ImageId"];
                    "X-Image-Duplicate": components["headers"]["ImageDuplicate"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidUpload"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["UploadRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["WrongOffset"];
            410: components["responses"]["UploadExpired"];
            412: components["responses"]["UnsupportedTusVersion"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["UploadInUse"];
            429: components["responses"]["TooManyUploads"];
            460: components["responses"]["ChecksumMismatch"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createDirectUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filename": "geese.jpg",
                 *       "size": 176000,
                 *       "contentType": "image/jpeg"
                 *     }
                 */
                "application/json": components["schemas"]["DirectUpload"];
            };
        };
        responses: {
            /** @description Where to put the file. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectUploadLink"];
                };
            };
            400: components["responses"]["InvalidUpload"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["UploadRefused"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyUploads"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    putUploadContent: {
        parameters: {
            query: {
                expires: number;
                signature: string;
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "*/*": string;
            };
        };
        responses: {
            /** @description The file is there. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidUpload"];
            403: components["responses"]["LinkRefused"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["UploadInUse"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    completeUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account had these bytes already: that image, out of the trash if it was there. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            /** @description The image, which is still to be developed. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    "Tus-Resumable": components["headers"]["TusResumable"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Image"];
                };
            };
            400: components["responses"]["InvalidUpload"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["UploadRefused"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            415: components["responses"]["UnsupportedMediaType"];
            423: components["responses"]["UploadInUse"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFeed: {
        parameters: {
            query?: {
                /** @description How many entries a page has, at most. */
                limit?: components["parameters"]["Limit"];
                /** @description `lastEvaluatedKey` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the feed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                /** @description How many entries a page has, at most. */
                limit?: components["parameters"]["Limit"];
                /** @description `lastEvaluatedKey` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "imageId": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
                 *       "provider": "local",
                 *       "operations": [
                 *         {
                 *           "op": "rotate",
                 *           "degrees": 90
                 *         },
                 *         {
                 *           "op": "crop",
                 *           "left": 0,
                 *           "top": 0,
                 *           "width": 100,
                 *           "height": 80
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["JobRequest"];
            };
        };
        responses: {
            /** @description The job. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Needed when the session is kept in cookies. */
                "X-CSRF-Token"?: components["parameters"]["CsrfToken"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job is gone. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            403: components["responses"]["InvalidCsrfToken"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMediaRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MediaRecord"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAnalysisRecord: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnalysisRecord"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["NotLoggedIn"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}

/** Lengths count characters, which are Unicode's code points. */
export const LIMITS = {
  Id: { minLength: 1, maxLength: 128 },
  Title: { maxLength: 255 },
  Description: { maxLength: 10000 },
  AltText: { maxLength: 255 },
  AlbumId: { minLength: 1, maxLength: 128 },
  Tag: { minLength: 1, maxLength: 128 },
  Tags: { maxItems: 20 },
  Filename: { maxLength: 255 },
  Email: { maxLength: 254 },
  Username: { minLength: 3, maxLength: 40 },
  Password: { minLength: 10, maxLength: 1024 },
  ImageLifetime: { minimum: 1, maximum: 315360000 },
  Progress: { minimum: 0, maximum: 100 },
} as const
