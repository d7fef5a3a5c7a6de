import FoundationEssentials
import Runtime

/// A real InspIRCd with atheme's services on loopback, for one test; both end with the value.
public final class InspIRCd: Sendable {
    /// Clear text.
    public let port: Int
    /// TLS; client certificates are asked for.
    public let tlsPort: Int
    public let program: Program
    private let services: Program?
    private static let modules = [
        "ssl_gnutls", "sslinfo", "cap", "sasl", "services_account", "ircv3", "ircv3_accounttag", "ircv3_batch",
        "ircv3_capnotify", "ircv3_chghost", "ircv3_ctctags", "ircv3_echomessage", "ircv3_labeledresponse",
        "ircv3_servertime", "ircv3_msgid", "monitor", "botmode", "deaf", "servprotect", "svshold", "cloaking", "md5",
        "namesx", "uhnames", "blockcolor", "spanningtree",
    ]

    /// Starts the ircd and, if wanted, the services, and waits until they are linked. `port` 0 takes a free one. A patient
    /// one takes lines as fast as they come. One that asks for TLS offers `sts` to those who come in clear text. A cloaking one
    /// hides everybody's host behind a cloak from the start.
    public init(
        in scratch: Scratch, certificates: Certificates, withServices: Bool = true, port: Int = 0,
        isPatient: Bool = false, asksForTLS: Bool = false, isCloaking: Bool = false
    ) async throws {
        self.port = port == 0 ? try freePort() : port
        tlsPort = try freePort()
        let linkPort = try freePort()
        let file = scratch.file("inspircd.conf")
        let configuration = Self.configuration(
            in: scratch.path, certificates: certificates, ports: (self.port, tlsPort, linkPort), isPatient: isPatient,
            isCloaking: isCloaking)
        let sts = "<module name=\"ircv3_sts\">\n<sts host=\"localhost\" duration=\"5m\" port=\"\(tlsPort)\">\n"
        try (configuration + (asksForTLS ? sts : "")).write(toFile: file, atomically: false, encoding: .utf8)
        program = try Program(
            Places.server("inspircd", "usr/sbin/inspircd"), ["--config", file, "--runasroot", "--nofork"],
            logFile: scratch.file("inspircd.log"))
        try await Places.waitForListener(on: self.port, of: program)
        services = withServices ? try await Self.startServices(in: scratch, linkPort: linkPort) : nil
    }

    /// Registers an account at the services by the way a person does, and ties a certificate and a key to it.
    public func register(
        account: String, password: String, fingerprint: String? = nil, publicKey: String? = nil
    ) async throws {
        let owner = try await IRCClient(nick: account, port: port)
        owner.say("REGISTER \(password) \(account)@example.org", to: "NickServ")
        try await owner.expectNotice(from: "NickServ", containing: "is now registered")
        if let fingerprint {
            owner.say("CERT ADD \(fingerprint)", to: "NickServ")
            try await owner.expectNotice(from: "NickServ", containing: "Added fingerprint")
        }
        if let publicKey {
            owner.say("SET PUBKEY \(publicKey)", to: "NickServ")
            try await owner.expectNotice(from: "NickServ", containing: "public key is now set")
        }
        owner.quit()
        _ = await eventually { owner.isClosed }
    }

    private static func configuration(
        in directory: String, certificates: Certificates, ports: (clear: Int, tls: Int, link: Int),
        isPatient: Bool, isCloaking: Bool
    ) -> String {
        let moduleDirectory = Places.server("inspircd", "usr/lib/inspircd/modules")
        return """
            <path configdir="\(directory)" datadir="\(directory)" logdir="\(directory)" runtimedir="\(directory)"
                moduledir="\(moduleDirectory)">
            <server name="irc.test" description="Test" network="TestNet" id="00A">
            <admin name="Test" nick="test" email="test@example.org">
            <pid file="\(directory)/inspircd.pid">
            <bind address="127.0.0.1" port="\(ports.clear)" type="clients">
            <bind address="127.0.0.1" port="\(ports.tls)" type="clients" sslprofile="tls">
            <bind address="127.0.0.1" port="\(ports.link)" type="servers">
            <sslprofile name="tls" provider="gnutls" certfile="\(certificates.server)"
                keyfile="\(certificates.serverKey)" hash="sha256" requestclientcert="yes">
            <connect name="main" allow="*" timeout="60" pingfreq="120" hardsendq="1048576" softsendq="8192"
                recvq="8192" threshold="\(isPatient ? 1000 : 10)" commandrate="1000" fakelag="on" localmax="5000" globalmax="5000"
                resolvehostnames="no" useident="no"\(isCloaking ? " modes=\"+x\"" : "")>
            <options prefixquit="Quit: " defaultmodes="not">
            <limits maxnick="30" maxchan="64">
            <cloak mode="half" key="abcdefghijklmnopqrstuvwxyz0123456789ABCDEF" prefix="net-">
            <uline server="services.test" silent="yes">
            <link name="services.test" ipaddr="127.0.0.1" port="1" allowmask="127.0.0.1" sendpass="linkpass"
                recvpass="linkpass">
            <sasl target="services.test" requiressl="no">

            """ + (modules + (isCloaking ? ["conn_umodes"] : [])).map { "<module name=\"\($0)\">\n" }.joined()
    }

    /// atheme looks for its modules under `/usr`; loaded by whole path in the order of their needs, none is looked for.
    private static func startServices(in scratch: Scratch, linkPort: Int) async throws -> Program {
        let library = Places.server("atheme-services", "usr/lib/x86_64-linux-gnu")
        let modules = [
            "protocol/base36uid", "backend/corestorage", "transport/rfc1459", "backend/opensex", "protocol/inspircd",
            "crypto/pbkdf2v2", "nickserv/main", "nickserv/register", "nickserv/identify", "nickserv/info",
            "nickserv/cert", "nickserv/group", "nickserv/ghost", "nickserv/logout", "nickserv/set_core",
            "nickserv/set_pubkey",
            "chanserv/main", "chanserv/register", "saslserv/main", "saslserv/plain", "saslserv/external",
            "saslserv/ecdsa-nist256p-challenge", "operserv/main",
        ]
        func service(_ name: String, _ nick: String) -> String {
            "\(name) { nick = \"\(nick)\"; user = \"\(nick)\"; host = \"services.test\"; real = \"\(nick)\"; };\n"
        }
        let configuration =
            modules.map { "loadmodule \"\(library)/atheme/modules/\($0)\";\n" }.joined() + """
                crypto { pbkdf2v2_rounds = 10000; };
                serverinfo { name = "services.test"; desc = "services"; numeric = "00B"; recontime = 1;
                    netname = "TestNet"; hidehostsuffix = "users.test"; adminname = "test";
                    adminemail = "test@example.org"; registeremail = "test@example.org"; auth = none;
                    casemapping = rfc1459; loglevel = { error; info; network; }; maxusers = 0; maxnicks = 5;
                    maxchans = 10; mdlimit = 30; emaillimit = 100; emailtime = 300; };
                uplink "irc.test" { host = "127.0.0.1"; port = \(linkPort); send_password = "linkpass";
                    receive_password = "linkpass"; };
                general { commit_interval = 5; };

                """ + service("nickserv", "NickServ") + service("chanserv", "ChanServ")
            + service("saslserv", "SaslServ") + service("operserv", "OperServ")
        let file = scratch.file("atheme.conf")
        try configuration.write(toFile: file, atomically: false, encoding: .utf8)
        let program = try Program(
            Places.server("atheme-services", "usr/bin/atheme-services"),
            ["-n", "-c", file, "-D", scratch.path, "-l", scratch.file("atheme.log"), "-p", scratch.file("atheme.pid")],
            logFile: scratch.file("atheme.out"), environment: ["LD_LIBRARY_PATH": library])
        let isLinked = await eventually(within: .seconds(30)) { program.output.contains("finished synching") }
        guard isLinked else { throw SocketFailure(message: "atheme did not link: \(program.output)") }
        return program
    }
}
