#include "tables/wire/client_codec.h"
#include "tables/wire/internal/answer.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"

// Requests about recovery as a client writes them, and their answers as it reads them.
namespace tintype::tables::wire {

std::string EncodeRequest(const UpdateContinuousBackupsRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "TableName", request.table);
    json.Name("PointInTimeRecoverySpecification");
    json.OpenObject();
    WriteBool(json, "PointInTimeRecoveryEnabled", request.recovery);
    if (request.recovery_days) {
      WriteInteger(json, "RecoveryPeriodInDays", *request.recovery_days);
    }
    json.CloseObject();
  });
}

std::string EncodeRequest(const DescribeContinuousBackupsRequest& request) {
  return WriteBody([&](JsonWriter& json) { WriteText(json, "TableName", request.table); });
}

Result<ContinuousBackupsResponse> DecodeContinuousBackupsResponse(std::string_view body) {
  return ReadAnswer<ContinuousBackupsResponse>(body, [](const AnswerObject& json) {
    ContinuousBackupsResponse response;
    const auto backups = json.Object("ContinuousBackupsDescription");
    if (!backups) {
      json.Fail("it has no ContinuousBackupsDescription");
      return response;
    }
    const auto recovery = backups->Object("PointInTimeRecoveryDescription");
    if (recovery && recovery->Text("PointInTimeRecoveryStatus") == "ENABLED") {
      response.recovery = ContinuousBackupsResponse::Recovery{
          .days = recovery->Integer("RecoveryPeriodInDays").value_or(35),
          .earliest_ms = recovery->TimeMs("EarliestRestorableDateTime").value_or(0),
          .latest_ms = recovery->TimeMs("LatestRestorableDateTime").value_or(0),
      };
    }
    return response;
  });
}

}  // namespace tintype::tables::wire
