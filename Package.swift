// swift-tools-version: 6.2
import PackageDescription

/// Every target is built alike: the strictest language mode the toolchain has, and no warning is let through.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// A room of the house: one Swift target that may import only what stands here.
func room(_ name: String, _ imports: [Target.Dependency] = [], _ settings: [SwiftSetting] = []) -> Target {
    .target(name: name, dependencies: imports, swiftSettings: strict + settings)
}

/// The tests of one room, at `Tests/<Room>Tests`.
func tests(_ room: String, _ imports: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
    .testTarget(
        name: "\(room)Tests", dependencies: imports, resources: resources, swiftSettings: strict)
}

/// A door to a C library of the distribution, named after its Debian package.
func door(_ name: String, apt package: String) -> Target {
    .systemLibrary(name: name, providers: [.apt([package])])
}

let package = Package(
    name: "confab",
    products: [
        .executable(name: "confab", targets: ["confab"]),
        // Preloaded into the bot by tests that step its clock.
        .library(name: "steppedclock", type: .dynamic, targets: ["CSteppedClock"]),
    ],
    targets: [
        // Doors: module maps and what Swift cannot reach by itself.
        door("CIRCClient", apt: "libircclient-dev"),
        door("CCurl", apt: "libcurl4-openssl-dev"),
        door("CSQLite", apt: "libsqlite3-dev"),
        door("CSodium", apt: "libsodium-dev"),
        door("COpenSSL", apt: "libssl-dev"),
        door("CJansson", apt: "libjansson-dev"),
        door("CMarkdown", apt: "libcmark-gfm-extensions-dev"),
        .systemLibrary(name: "CEpoll"),
        .target(name: "CTOML"),
        .target(name: "CMemory"),

        // Rooms.
        room("Domain"),
        room("Runtime", ["Domain", "CMemory"]),
        room("Network", ["Domain", "Runtime", "CCurl", "CEpoll", "COpenSSL", "CSodium"]),
        // No socket and no libircclient: what is said on IRC and what it means, as values.
        room("IRCProtocol", ["Domain", "Runtime", "COpenSSL"]),
        room("IRC", ["Domain", "Runtime", "Network", "IRCProtocol", "CIRCClient"]),
        room("Completions", ["Domain", "Runtime", "Network", "CJansson"]),
        // Its calls stay on the caller's thread: see `Store`.
        room(
            "Storage", ["Domain", "Runtime", "CSQLite"],
            [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
        room("Passwords", ["Domain", "Runtime", "CSodium"]),
        room("Formatting", ["Domain", "CMarkdown"]),
        room("Accounts", ["Domain", "Runtime", "Storage", "Passwords"]),
        room("Dialogue", ["Domain", "Runtime", "Storage", "Passwords", "Formatting", "Accounts"]),
        .executableTarget(
            name: "confab",
            dependencies: [
                "Domain", "Runtime", "Network", "IRCProtocol", "IRC", "Completions", "Storage", "Passwords",
                "Formatting", "Accounts", "Dialogue", "CTOML",
            ],
            swiftSettings: strict),

        // Tests: the kit of scripted peers, then one target a room, then the built binary on real servers.
        .target(name: "CSanitizers", path: "Tests/CSanitizers"),
        .target(name: "CSteppedClock", path: "Tests/CSteppedClock"),
        .target(
            name: "TestKit", dependencies: ["Domain", "Runtime", "CSanitizers"], path: "Tests/TestKit",
            swiftSettings: strict),
        .executableTarget(
            name: "firstvisit", dependencies: ["TestKit"], path: "Tests/FirstVisit",
            swiftSettings: strict),
        .executableTarget(
            name: "loadtest", dependencies: ["TestKit", "Runtime"], path: "Tests/LoadTest",
            swiftSettings: strict),
        tests("Domain", ["Domain"]),
        tests("Runtime", ["Runtime", "Domain", "TestKit"]),
        tests("Network", ["Network", "Domain", "Runtime", "TestKit"]),
        .target(
            name: "IRCTestKit", dependencies: ["IRCProtocol", "Domain"], path: "Tests/IRCTestKit",
            swiftSettings: strict),
        tests("IRCProtocol", ["IRCProtocol", "IRCTestKit", "Domain", "Runtime", "TestKit"]),
        tests("IRC", ["IRC", "IRCProtocol", "IRCTestKit", "Network", "Domain", "Runtime", "TestKit"]),
        tests(
            "Completions", ["Completions", "Network", "Domain", "Runtime", "TestKit"],
            resources: [.copy("Captures")]),
        tests("Storage", ["Storage", "Domain", "Runtime", "TestKit", "CSQLite"]),
        tests("Passwords", ["Passwords", "Domain", "Runtime"]),
        tests("Formatting", ["Formatting", "Domain", "TestKit"], resources: [.copy("Corpus")]),
        tests("Accounts", ["Accounts", "Storage", "Passwords", "Domain", "Runtime", "TestKit"]),
        tests(
            "Dialogue",
            [
                "Dialogue", "Accounts", "Storage", "Passwords", "Formatting", "IRCProtocol", "Domain", "Runtime",
                "TestKit",
            ]),
        tests(
            "Confab",
            [
                "confab", "Accounts", "Completions", "Dialogue", "IRC", "IRCProtocol", "Passwords", "Storage", "Domain",
                "Runtime", "TestKit",
            ]),
        tests("EndToEnd", ["TestKit", "Domain"]),
    ],
    cxxLanguageStandard: .cxx17
)
