import Completions
import Testing

struct CompletionSettingsTests {
    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1/chat/completions"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1/chat/completions"),
        ("https://api.example/v1", "https://api.example/v1/chat/completions"),
        ("https://api.example/v1//", "https://api.example/v1/chat/completions"),
        ("https://api.example/openai", "https://api.example/openai/v1/chat/completions"),
        ("https://api.example/v1beta/openai", "https://api.example/v1beta/openai/chat/completions"),
        ("https://v1.example", "https://v1.example/v1/chat/completions"),
    ])
    func `the address questions go to`(base: String, endpoint: String) {
        #expect(CompletionSettings(baseURL: base).endpoint == endpoint)
    }

    @Test func `the other kind has another address`() {
        #expect(CompletionSettings(baseURL: "http://h/v1", kind: .completions).endpoint == "http://h/v1/completions")
    }
}
