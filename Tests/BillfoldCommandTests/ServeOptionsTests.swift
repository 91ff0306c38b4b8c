import BillfoldDiagnosis
import BillfoldServer
import Foundation
import Testing

@testable import billfold

@Suite struct ServeOptionsTests {
    private func options(_ arguments: [String]) throws -> ServeOptions { try ServeCommand.options(from: arguments) }

    @Test func byDefaultEverythingRunsOnLoopbackInTestMode() throws {
        let options = try options([])
        #expect(options.configuration.roles == Set(Capabilities.roles))
        #expect(options.configuration.mode == .test)
        #expect(options.addresses[.cardPayments].origin == "http://127.0.0.1:8080")
        #expect(options.addresses[.console].origin == "http://127.0.0.1:8081")
        #expect(options.addresses[.unionPay].origin == "http://127.0.0.1:8082")
        #expect(options.dataFolder == ".billfold")
        #expect(options.scheduling == .throughput)
    }

    @Test func inProductionTheSandboxIsLeftOut() throws {
        #expect(try options(["--mode", "production"]).configuration.roles == [.cardPayments, .console])
    }

    @Test func partiesElsewhereAreFoundThroughTheirFlags() throws {
        let options = try options([
            "--roles", "card-payments", "--unionpay-url", "http://127.0.0.1:9", "--console-url", "http://127.0.0.1:8",
        ])
        #expect(options.addresses[.unionPay].origin == "http://127.0.0.1:9")
        #expect(options.addresses[.console].origin == "http://127.0.0.1:8")
        #expect(options.served(at: .sandbox).isEmpty)
        #expect(!options.servesConsole)
    }

    @Test(arguments: [
        ["--mode", "demo"], ["--log", "xml"], ["--log-level", "loud"], ["--scheduling", "realtime"], ["--roles", "bank"],
        ["--listen", "nowhere"],
        ["--sandbox", "0.0.0.0:8082"],
        ["--tls-key", "k.pem"], ["--mode", "production", "--roles", "unionpay"], ["--console", "0.0.0.0:8081"],
        ["--trusted-proxy", "proxy.example"], ["--trusted-proxy", "10.0.0.0/40"], ["--forwarded-header", "X-Real-IP"],
        ["--trusted-proxy", "0.0.0.0/0"], ["--trusted-proxy", "::/0"], ["--trusted-proxy", "10.0.0.1/8"],
        ["--console-origin", "console.example"], ["--console-origin", "https://console.example/page"],
    ])
    func whatCannotBeServedIsWrongUsage(arguments: [String]) throws {
        let error = #expect(throws: (any Error).self) { _ = try ServeCommand.options(from: arguments) }
        let failure = CommandFailure(try #require(error))
        #expect(failure.code == "configuration-invalid")
        #expect(failure.kind == .usage)
    }

    private func options(_ arguments: [String], file: String) throws -> ServeOptions {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(file.utf8).write(to: URL(fileURLWithPath: path))
        return try ServeCommand.options(from: ["--config", path] + arguments)
    }

    @Test func aFileHoldsTheFlagsAndTheCommandLineGoesBeforeIt() throws {
        let file = #"""
            {"mode": "production", "roles": "card-payments,console", "listen": "127.0.0.1:9443", "console-behind-tls": true, "plain-keys": false,
             "trusted-proxy": ["10.0.0.1", "10.1.0.0/16"], "data": "/var/lib/billfold", "log": "json"}
            """#
        let alone = try options([], file: file)
        #expect(alone.configuration.mode == .production && alone.configuration.roles == [.cardPayments, .console])
        #expect(alone.configuration.publicListener.address == ListenAddress(port: 9443) && alone.dataFolder == "/var/lib/billfold")
        #expect(try alone.configuration.publicListener.trustedProxies == TrustedProxies(["10.0.0.1", "10.1.0.0/16"]))
        #expect(!alone.plainKeys && alone.logFormat == .json)
        let both = try options(["--listen", "127.0.0.1:9444", "--log=text", "--plain-keys"], file: file)
        #expect(both.configuration.publicListener.address == ListenAddress(port: 9444) && both.dataFolder == "/var/lib/billfold")
        #expect(both.plainKeys && both.logFormat == .text)
    }

    @Test(arguments: [
        "", "[]", #"{"listen": null}"#, #"{"listen": {}}"#, #"{"listen": [["a"]]}"#, #"{"lissten": "127.0.0.1:1"}"#,
        #"{"--listen": "127.0.0.1:1"}"#, #"{"config": "other.json"}"#, #"{"listen": "127.0.0.1:1", "listen": "127.0.0.1:2"}"#,
        #"{"listen": true}"#, #"{"plain-keys": "yes"}"#, #"{"listen": "nowhere"}"#, #"{"mode": "demo"}"#,
    ])
    func aFileThatSaysSomethingElseIsWrongUsage(file: String) throws {
        let error = #expect(throws: (any Error).self) { _ = try options([], file: file) }
        let failure = CommandFailure(try #require(error))
        #expect(failure.code == "configuration-invalid" && failure.kind == .usage, "\(failure)")
    }

    @Test func aFileThatIsNotThereIsWrongUsage() throws {
        let error = #expect(throws: (any Error).self) { _ = try ServeCommand.options(from: ["--config", "/nowhere/billfold.json"]) }
        #expect(CommandFailure(try #require(error)).code == "configuration-invalid")
    }

    @Test func behindAProxyItsWordIsTakenAndEverybodySignsIn() throws {
        let configuration = try options([
            "--console", "0.0.0.0:8081", "--console-behind-tls", "--console-origin", "https://console.example", "--trusted-proxy",
            "10.0.0.1",
            "--trusted-proxy", "10.1.0.0/16",
        ]).configuration
        let proxies = try TrustedProxies(["10.0.0.1", "10.1.0.0/16"])
        #expect(configuration.signIn == .always)
        #expect(configuration.consoleListener.trustedProxies == proxies && configuration.publicListener.trustedProxies == proxies)
        #expect(configuration.consoleListener.hosts == ["console.example"])
        #expect(configuration.consoleListener.origins == ["https://console.example"])
        #expect(try options([]).configuration.consoleListener.trustedProxies.isEmpty)
        #expect(try options(["--forwarded-header", "forwarded", "--trusted-proxy", "::1"]).sandboxListener.trustedProxies.isEmpty)
    }

    @Test func connectionsLeaveDescriptorsForStores() throws {
        let few = try options([]).sharing(descriptors: 1_024)
        for listener in [few.configuration.publicListener, few.configuration.consoleListener, few.sandboxListener] {
            #expect(listener.limits.maximumConnections == 256)
        }
        #expect(try options([]).sharing(descriptors: 65_536).sandboxListener.limits.maximumConnections == ServerLimits().maximumConnections)
    }

    @Test(arguments: [
        ("postgresql://h/d", true), ("postgres://u@h/d", true), ("host=/tmp dbname=x", true), ("dbname=billfold", true),
        ("billfold.sqlite", false), ("/var/lib/host/b.db", false), ("./a=b.sqlite", false),
    ])
    func connectionStringsAreToldFromFiles(text: String, isPostgreSQL: Bool) {
        #expect(StoreOpening.isPostgreSQL(text) == isPostgreSQL)
    }
}

@Suite struct DataFolderTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-data-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func permissions(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber).intValue
    }

    @Test func aSecretIsMadeOnceAndReadByItsOwnerOnly() throws {
        try withFolder { path in
            let folder = try DataFolder(path)
            #expect(try permissions(path) == 0o700)
            #expect(try folder.secret("key") { [1, 2, 3] }.reveal() == [1, 2, 3])
            #expect(try folder.secret("key") { [9] }.reveal() == [1, 2, 3])
            #expect(try permissions(folder.path("key")) == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["key"])
        }
    }

    @Test func aFolderThatOthersCanReadIsRefused() throws {
        try withFolder { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
            let error = #expect(throws: ServerError.self) { try DataFolder(path) }
            #expect(error?.code == .dataFolderUnusable)
        }
    }
}

@Suite struct FreePortsTests {
    @Test func portsAreDistinctAndFree() throws {
        let ports = try FreePorts.find(8)
        #expect(Set(ports).count == 8)
        #expect(ports.allSatisfy { $0 > 0 })
    }

    #if os(Linux)
        /// Whoever asks for any port gets another one, and a server that names it listens there, again and again.
        @Test func portIsKeptForItsServer() throws {
            let port = try #require(try FreePorts.find(1).first)
            func isBound(canReuse: Bool) -> Bool {
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(descriptor) }
                var isOn: Int32 = canReuse ? 1 : 0
                setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = in_port_t(port).bigEndian
                address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
                return withUnsafeMutablePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 && listen(descriptor, 1) == 0
                    }
                }
            }
            #expect(!isBound(canReuse: false))
            for _ in 0..<2 { #expect(isBound(canReuse: true)) }
        }
    #endif
}
