// FormattingTests
