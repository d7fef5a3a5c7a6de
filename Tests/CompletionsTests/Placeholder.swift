// CompletionsTests
