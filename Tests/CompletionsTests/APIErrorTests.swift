import Domain
import Testing

@testable import Completions

struct APIErrorTests {
    @Test(arguments: Self.errors)
    func `every shape of an error`(
        status: Int, body: String, code: String, message: String, kind: CompletionFailure.Kind
    ) throws {
        let error = APIError(try #require(JSONValue(body)))
        #expect(error.code == code)
        #expect(error.message == message)
        #expect(error.kind(status: status) == kind)
    }

    private static let errors: [(Int, String, String, String, CompletionFailure.Kind)] = [
        (
            400, #"{"error":{"message":"m","type":"t","param":"p","code":null}}"#, "t", "m",
            CompletionFailure.Kind.rejected
        ),
        (401, #"{"error":{"message":"m","code":"invalid_api_key"}}"#, "invalid_api_key", "m", .unauthorized),
        (401, #"{"statusCode":401,"message":"m"}"#, "", "m", .unauthorized),
        (402, #"{"error":{"code":402,"message":"m"}}"#, "", "m", .quotaExhausted),
        (429, #"{"error":{"code":"429","message":"m"}}"#, "429", "m", .rateLimited),
        (429, #"{"error":{"code":"insufficient_quota","message":"m"}}"#, "insufficient_quota", "m", .quotaExhausted),
        (
            422, #"{"object":"error","message":{"detail":[{"type":"extra","loc":["body","x"]}]},"type":"t"}"#, "t",
            "extra body; x", .rejected
        ),
        (422, #"{"detail":[{"msg":"bad","loc":["a"]}]}"#, "", "bad a", .rejected),
        (404, #"{"detail":"Not Found"}"#, "", "Not Found", .notFound),
        (500, #"{"error":"text"}"#, "", "text", .unavailable),
        (
            400, #"[{"error":{"code":400,"message":"m","status":"INVALID_ARGUMENT"}}]"#, "INVALID_ARGUMENT", "m",
            .rejected
        ),
        (400, #"{"error":{"code":"content_filter","message":"m"}}"#, "content_filter", "m", .filtered),
        (400, #"{"error":{"code":"context_length_exceeded","message":"m"}}"#, "context_length_exceeded", "m", .tooLong),
        (200, #"{"error":{"code":429,"message":"m"}}"#, "", "m", .rateLimited),
        (200, #"{"error":{"message":"m"}}"#, "", "m", .unavailable),
        (529, #"{"error":{"type":"overloaded_error","message":"m"}}"#, "overloaded_error", "m", .unavailable),
        (418, "7", "", "", .rejected),
    ]
}
