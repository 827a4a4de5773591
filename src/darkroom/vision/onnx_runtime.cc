#include "darkroom/vision/onnx_runtime.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "base/strings.h"
#include "darkroom/failure.h"

namespace tintype::darkroom::vision {
namespace {

// Objects of the library, which only it looks into.
struct OrtStatus;
struct OrtEnv;
struct OrtSession;
struct OrtSessionOptions;
struct OrtMemoryInfo;
struct OrtValue;
struct OrtShape;
struct OrtAllocator;

// The version of the interface that is asked for: that of 1.23.
constexpr uint32_t kInterfaceVersion = 23;

// Values of the interface's enumerations.
constexpr int kLogErrors = 3;
constexpr int kSequential = 0;
constexpr int kOptimizeAll = 99;
constexpr int kDeviceAllocator = 0;
constexpr int kDefaultMemory = 0;
constexpr int kFloat = 1;
constexpr int kInteger = 7;
constexpr int kFlag = 9;

/// Functions of the table, by their places in it.
class Functions {
 public:
  explicit Functions(const void* const* table) : table_(table) {}

  template <typename... Parameters, typename... Arguments>
  OrtStatus* Call(size_t place, Arguments... arguments) const {
    using Function = OrtStatus*(Parameters...);
    return At<Function>(place)(arguments...);
  }
  void Release(size_t place, void* object) const {
    if (object != nullptr) {
      At<void(void*)>(place)(object);
    }
  }
  const char* MessageOf(const OrtStatus* status) const {
    return At<const char*(const OrtStatus*)>(2)(status);
  }

 private:
  template <typename Function>
  Function* At(size_t place) const {
    // A table of functions is a table of addresses on every machine that the library runs on.
    return reinterpret_cast<Function*>(const_cast<void*>(table_[place]));
  }
  const void* const* table_;
};

constexpr size_t kCreateEnv = 3;
constexpr size_t kCreateSessionFromArray = 8;
constexpr size_t kRun = 9;
constexpr size_t kCreateSessionOptions = 10;
constexpr size_t kSetExecutionMode = 13;
constexpr size_t kDisableMemPattern = 17;
constexpr size_t kDisableArena = 19;
constexpr size_t kSetOptimization = 23;
constexpr size_t kSetThreadsWithin = 24;
constexpr size_t kSetThreadsBetween = 25;
constexpr size_t kInputCount = 30;
constexpr size_t kOutputCount = 31;
constexpr size_t kInputName = 36;
constexpr size_t kOutputName = 37;
constexpr size_t kCreateTensor = 49;
constexpr size_t kTensorData = 51;
constexpr size_t kElementType = 60;
constexpr size_t kDimensionCount = 61;
constexpr size_t kDimensions = 62;
constexpr size_t kTensorShape = 65;
constexpr size_t kCreateMemoryInfo = 69;
constexpr size_t kAllocatorFree = 76;
constexpr size_t kDefaultAllocator = 78;
constexpr size_t kReleaseEnv = 92;
constexpr size_t kReleaseStatus = 93;
constexpr size_t kReleaseMemoryInfo = 94;
constexpr size_t kReleaseSession = 95;
constexpr size_t kReleaseValue = 96;
constexpr size_t kReleaseShape = 99;
constexpr size_t kReleaseSessionOptions = 100;
constexpr size_t kAddConfigEntry = 130;

/// Releases an object of the library in the end.
template <typename Object>
class Owned {
 public:
  Owned(const Functions& functions, size_t release) : functions_(functions), release_(release) {}
  ~Owned() { functions_.Release(release_, object_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;

  Object* get() const { return object_; }
  Object** out() { return &object_; }
  Object* Take() { return std::exchange(object_, nullptr); }

 private:
  const Functions& functions_;
  size_t release_;
  Object* object_ = nullptr;
};

/// What the library says of a call. Too little memory is an error of its, never a crash.
Status Checked(const Functions& functions, OrtStatus* status) {
  if (status == nullptr) {
    return OkStatus();
  }
  const std::string message = functions.MessageOf(status);
  functions.Release(kReleaseStatus, status);
  const bool no_memory = message.find("bad_alloc") != std::string::npos ||
                         message.find("Failed to allocate") != std::string::npos;
  return no_memory
             ? MakeFailure(FailureKind::kOutOfMemory, "There is too little memory for this image")
                   .WithNote(message)
             : MakeFailure(FailureKind::kDied, "A model failed on this image").WithNote(message);
}

/// A file of which this process sees the bytes.
class Mapping {
 public:
  explicit Mapping(int file) {
    // fstat is refused in the sandbox.
    const off_t end = ::lseek(file, 0, SEEK_END);
    if (end > 0) {
      bytes_ = static_cast<size_t>(end);
      data_ = ::mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, file, 0);
    }
  }
  ~Mapping() {
    if (ok()) {
      ::munmap(data_, bytes_);
    }
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  bool ok() const { return data_ != MAP_FAILED; }
  const void* data() const { return data_; }
  size_t bytes() const { return bytes_; }

 private:
  void* data_ = MAP_FAILED;
  size_t bytes_ = 0;
};

}  // namespace

struct OnnxRuntime::Handle {
  explicit Handle(const void* const* table) : functions(table) {}
  Functions functions;
  OrtEnv* environment = nullptr;
};

struct ModelSession::Handle {
  explicit Handle(const Functions& library) : functions(library) {}
  const Functions& functions;
  OrtSession* session = nullptr;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

struct ModelValue::Handle {
  explicit Handle(const Functions& library) : functions(library), value(library, kReleaseValue) {}
  const Functions& functions;
  std::vector<int64_t> shape;
  // What the library was given, which it does not copy; one of them.
  std::vector<float> floats;
  std::vector<int64_t> integers;
  bool flag = false;
  Owned<OrtValue> value;
};

OnnxRuntime::OnnxRuntime(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
OnnxRuntime::~OnnxRuntime() { handle_->functions.Release(kReleaseEnv, handle_->environment); }

Result<std::unique_ptr<OnnxRuntime>> OnnxRuntime::Load(const std::string& path) {
  void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return Error(ErrorKind::kUnavailable, StrCat("ONNX Runtime cannot be loaded: ", ::dlerror()));
  }
  struct Base {
    const void* const* (*get_table)(uint32_t version);
    const char* (*get_version)();
  };
  void* const entry = ::dlsym(library, "OrtGetApiBase");
  if (entry == nullptr) {
    return Error(ErrorKind::kUnavailable, StrCat(path, " is not ONNX Runtime."));
  }
  const Base* const base = reinterpret_cast<const Base* (*)()>(entry)();
  const void* const* const table = base->get_table(kInterfaceVersion);
  if (table == nullptr) {
    return Error(ErrorKind::kUnavailable,
                 StrCat("ONNX Runtime is too old: it is ", base->get_version(), "."));
  }
  auto handle = std::make_unique<Handle>(table);
  RETURN_IF_ERROR(
      Checked(handle->functions, handle->functions.Call<int, const char*, OrtEnv**>(
                                     kCreateEnv, kLogErrors, "tintype", &handle->environment)));
  return std::unique_ptr<OnnxRuntime>(new OnnxRuntime(std::move(handle)));
}

Result<std::unique_ptr<ModelSession>> OnnxRuntime::Open(int model, ModelMemory memory) {
  const Functions& library = handle_->functions;
  const Mapping file(model);
  if (!file.ok()) {
    return MakeFailure(FailureKind::kNotRunning, "A model cannot be read");
  }
  Owned<OrtSessionOptions> options(library, kReleaseSessionOptions);
  RETURN_IF_ERROR(
      Checked(library, library.Call<OrtSessionOptions**>(kCreateSessionOptions, options.out())));
  const auto set = [&](OrtStatus* status) { return Checked(library, status); };
  // The parallelism is in the number of helpers, and memory that was used goes back.
  RETURN_IF_ERROR(set(library.Call<OrtSessionOptions*, int>(kSetThreadsWithin, options.get(), 1)));
  RETURN_IF_ERROR(set(library.Call<OrtSessionOptions*, int>(kSetThreadsBetween, options.get(), 1)));
  RETURN_IF_ERROR(
      set(library.Call<OrtSessionOptions*, int>(kSetExecutionMode, options.get(), kSequential)));
  RETURN_IF_ERROR(
      set(library.Call<OrtSessionOptions*, int>(kSetOptimization, options.get(), kOptimizeAll)));
  if (memory == ModelMemory::kGivenBack) {
    RETURN_IF_ERROR(set(library.Call<OrtSessionOptions*>(kDisableArena, options.get())));
  }
  RETURN_IF_ERROR(set(library.Call<OrtSessionOptions*>(kDisableMemPattern, options.get())));
  RETURN_IF_ERROR(set(library.Call<OrtSessionOptions*, const char*, const char*>(
      kAddConfigEntry, options.get(), "session.intra_op.allow_spinning", "0")));

  auto handle = std::make_unique<ModelSession::Handle>(library);
  RETURN_IF_ERROR(set(library.Call<OrtEnv*, const void*, size_t, OrtSessionOptions*, OrtSession**>(
      kCreateSessionFromArray, handle_->environment, file.data(), file.bytes(), options.get(),
      &handle->session)));
  std::unique_ptr<ModelSession> session(new ModelSession(std::move(handle)));
  ModelSession::Handle& made = *session->handle_;
  OrtAllocator* allocator = nullptr;
  RETURN_IF_ERROR(set(library.Call<OrtAllocator**>(kDefaultAllocator, &allocator)));
  const auto name_of = [&](size_t place, size_t index, std::string& name) -> Status {
    char* text = nullptr;
    RETURN_IF_ERROR(set(library.Call<OrtSession*, size_t, OrtAllocator*, char**>(
        place, made.session, index, allocator, &text)));
    name = text;
    return set(library.Call<OrtAllocator*, void*>(kAllocatorFree, allocator, text));
  };
  size_t inputs = 0;
  size_t outputs = 0;
  RETURN_IF_ERROR(set(library.Call<OrtSession*, size_t*>(kInputCount, made.session, &inputs)));
  RETURN_IF_ERROR(set(library.Call<OrtSession*, size_t*>(kOutputCount, made.session, &outputs)));
  made.inputs.resize(inputs);
  made.outputs.resize(outputs);
  for (size_t i = 0; i < inputs; ++i) {
    RETURN_IF_ERROR(name_of(kInputName, i, made.inputs[i]));
  }
  for (size_t i = 0; i < outputs; ++i) {
    RETURN_IF_ERROR(name_of(kOutputName, i, made.outputs[i]));
  }
  return session;
}

ModelSession::ModelSession(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
ModelSession::~ModelSession() { handle_->functions.Release(kReleaseSession, handle_->session); }

namespace {

/// What a value is: its kind of numbers, and how many there are each way.
struct ValueType {
  int type = 0;
  std::vector<int64_t> shape;
};

Result<ValueType> TypeOf(const Functions& library, OrtValue* value) {
  Owned<OrtShape> shape(library, kReleaseShape);
  RETURN_IF_ERROR(
      Checked(library, library.Call<OrtValue*, OrtShape**>(kTensorShape, value, shape.out())));
  ValueType type;
  size_t dimensions = 0;
  RETURN_IF_ERROR(
      Checked(library, library.Call<OrtShape*, int*>(kElementType, shape.get(), &type.type)));
  RETURN_IF_ERROR(Checked(
      library, library.Call<OrtShape*, size_t*>(kDimensionCount, shape.get(), &dimensions)));
  type.shape.resize(dimensions);
  RETURN_IF_ERROR(Checked(library, library.Call<OrtShape*, int64_t*, size_t>(
                                       kDimensions, shape.get(), type.shape.data(), dimensions)));
  return type;
}

size_t CountOf(const std::vector<int64_t>& shape) {
  size_t count = 1;
  for (const int64_t side : shape) {
    count *= static_cast<size_t>(side);
  }
  return count;
}

/// The numbers of a tensor that the library holds, where it holds them.
Result<std::span<const float>> FloatsOf(const Functions& library, OrtValue* value,
                                        const ValueType& type) {
  if (type.type != kFloat) {
    return MakeFailure(FailureKind::kNotRunning, "A model gives numbers of another kind");
  }
  void* data = nullptr;
  RETURN_IF_ERROR(Checked(library, library.Call<OrtValue*, void**>(kTensorData, value, &data)));
  return std::span(static_cast<const float*>(data), CountOf(type.shape));
}

Result<Tensor> Copied(const Functions& library, OrtValue* value) {
  ASSIGN_OR_RETURN(ValueType type, TypeOf(library, value));
  ASSIGN_OR_RETURN(const std::span<const float> numbers, FloatsOf(library, value, type));
  return Tensor{std::move(type.shape), {numbers.begin(), numbers.end()}};
}

/// A tensor of numbers that stay the caller's.
Status MakeTensor(const Functions& library, void* data, size_t bytes,
                  const std::vector<int64_t>& shape, int type, OrtValue** value) {
  Owned<OrtMemoryInfo> memory(library, kReleaseMemoryInfo);
  RETURN_IF_ERROR(
      Checked(library, library.Call<int, int, OrtMemoryInfo**>(kCreateMemoryInfo, kDeviceAllocator,
                                                               kDefaultMemory, memory.out())));
  return Checked(
      library,
      library.Call<OrtMemoryInfo*, void*, size_t, const int64_t*, size_t, int, OrtValue**>(
          kCreateTensor, memory.get(), data, bytes, shape.data(), shape.size(), type, value));
}

Status RunSession(const Functions& library, OrtSession* session,
                  const std::vector<const char*>& input_names,
                  const std::vector<const OrtValue*>& inputs,
                  const std::vector<const char*>& output_names, std::vector<OrtValue*>& outputs) {
  return Checked(library,
                 library.Call<OrtSession*, const void*, const char* const*, const OrtValue* const*,
                              size_t, const char* const*, size_t, OrtValue**>(
                     kRun, session, nullptr, input_names.data(), inputs.data(), inputs.size(),
                     output_names.data(), output_names.size(), outputs.data()));
}

std::vector<const char*> PointersTo(std::span<const std::string> names) {
  std::vector<const char*> pointers;
  pointers.reserve(names.size());
  for (const std::string& name : names) {
    pointers.push_back(name.c_str());
  }
  return pointers;
}

}  // namespace

ModelValue::ModelValue(std::unique_ptr<Handle> handle) : handle_(std::move(handle)) {}
ModelValue::ModelValue(ModelValue&&) noexcept = default;
ModelValue& ModelValue::operator=(ModelValue&&) noexcept = default;
ModelValue::~ModelValue() = default;

const std::vector<int64_t>& ModelValue::shape() const { return handle_->shape; }

Result<std::span<const float>> ModelValue::Floats() const {
  OrtValue* const value = handle_->value.get();
  ASSIGN_OR_RETURN(const ValueType type, TypeOf(handle_->functions, value));
  return FloatsOf(handle_->functions, value, type);
}

Result<ModelValue> ModelSession::MakeFloats(Tensor tensor) const {
  auto made = std::make_unique<ModelValue::Handle>(handle_->functions);
  made->shape = std::move(tensor.shape);
  made->floats = std::move(tensor.values);
  // Of a tensor of nothing the library wants the place, too.
  made->floats.reserve(1);
  RETURN_IF_ERROR(MakeTensor(handle_->functions, made->floats.data(),
                             made->floats.size() * sizeof(float), made->shape, kFloat,
                             made->value.out()));
  return ModelValue(std::move(made));
}

Result<ModelValue> ModelSession::MakeIntegers(std::vector<int64_t> shape,
                                              std::vector<int64_t> values) const {
  auto made = std::make_unique<ModelValue::Handle>(handle_->functions);
  made->shape = std::move(shape);
  made->integers = std::move(values);
  RETURN_IF_ERROR(MakeTensor(handle_->functions, made->integers.data(),
                             made->integers.size() * sizeof(int64_t), made->shape, kInteger,
                             made->value.out()));
  return ModelValue(std::move(made));
}

Result<ModelValue> ModelSession::MakeFlag(bool value) const {
  auto made = std::make_unique<ModelValue::Handle>(handle_->functions);
  made->shape = {1};
  made->flag = value;
  RETURN_IF_ERROR(MakeTensor(handle_->functions, &made->flag, sizeof(made->flag), made->shape,
                             kFlag, made->value.out()));
  return ModelValue(std::move(made));
}

const std::vector<std::string>& ModelSession::inputs() const { return handle_->inputs; }

Result<std::vector<ModelValue>> ModelSession::Run(std::span<const NamedValue> inputs,
                                                  std::span<const std::string> outputs) {
  const Functions& library = handle_->functions;
  std::vector<const char*> names;
  std::vector<const OrtValue*> values;
  for (const NamedValue& input : inputs) {
    names.push_back(input.name.c_str());
    values.push_back(input.value->handle_->value.get());
  }
  std::vector<OrtValue*> made(outputs.size(), nullptr);
  const Status ran =
      RunSession(library, handle_->session, names, values, PointersTo(outputs), made);
  std::vector<ModelValue> results;
  for (OrtValue* each : made) {
    auto handle = std::make_unique<ModelValue::Handle>(library);
    *handle->value.out() = each;
    results.push_back(ModelValue(std::move(handle)));
  }
  RETURN_IF_ERROR(ran);
  for (const ModelValue& result : results) {
    ASSIGN_OR_RETURN(ValueType type, TypeOf(library, result.handle_->value.get()));
    result.handle_->shape = std::move(type.shape);
  }
  return results;
}

Result<std::vector<Tensor>> ModelSession::Run(Tensor& input) {
  const Functions& library = handle_->functions;
  if (handle_->inputs.size() != 1 || handle_->outputs.empty()) {
    return MakeFailure(FailureKind::kNotRunning, "A model is not of the kind that is needed");
  }
  Owned<OrtValue> value(library, kReleaseValue);
  RETURN_IF_ERROR(MakeTensor(library, input.values.data(), input.values.size() * sizeof(float),
                             input.shape, kFloat, value.out()));
  const std::vector<const char*> names = PointersTo(handle_->outputs);
  std::vector<OrtValue*> outputs(names.size(), nullptr);
  const Status ran = RunSession(library, handle_->session, PointersTo(handle_->inputs),
                                {value.get()}, names, outputs);
  Result<std::vector<Tensor>> tensors = std::vector<Tensor>();
  if (!ran.ok()) {
    tensors = ran.error();
  }
  for (OrtValue* output : outputs) {
    if (tensors.ok()) {
      Result<Tensor> tensor = Copied(library, output);
      if (tensor.ok()) {
        tensors->push_back(*std::move(tensor));
      } else {
        tensors = std::move(tensor).error();
      }
    }
    library.Release(kReleaseValue, output);
  }
  return tensors;
}

}  // namespace tintype::darkroom::vision
