import BillfoldDiagnosis
import BillfoldServer
import Testing

@Suite struct ConfigurationTests {
    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 8080, true), ("8081", "127.0.0.1", 8081, true), ("[::1]:1", "::1", 1, true),
        ("localhost:0", "localhost", 0, true), ("0.0.0.0:80", "0.0.0.0", 80, false), ("[::]:80", "::", 80, false),
        ("pay.example:443", "pay.example", 443, false), ("127.evil.example:1", "127.evil.example", 1, false),
    ])
    func addressesAreRead(text: String, host: String, port: Int, isLoopback: Bool) throws {
        let address = try ListenAddress(text)
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.isLoopback == isLoopback)
    }

    @Test(arguments: ["", "host", "host:", ":80", "host:65536", "host:-1", "::1:80", "a:b:c"])
    func otherTextIsNoAddress(text: String) {
        let error = #expect(throws: ServerError.self) { try ListenAddress(text) }
        #expect(error?.code == .configurationInvalid)
    }

    @Test func rolesAreReadAndUnknownOnesRefused() throws {
        let known: [ServerRole] = [.console, "phone"]
        #expect(try ServerRole.list("console, phone", among: known) == [.console, "phone"])
        #expect(throws: ServerError.self) { try ServerRole.list("console,bank", among: known) }
        #expect(throws: ServerError.self) { try ServerRole.list("", among: known) }
    }

    @Test func aConsoleBeyondLoopbackNeedsTLS() throws {
        var configuration = ServerConfiguration()
        try configuration.validate()
        configuration.consoleListener.address = ListenAddress(host: "0.0.0.0", port: 8081)
        #expect(throws: ServerError.self) { try configuration.validate() }
        configuration.consoleIsBehindTLS = true
        try configuration.validate()
        #expect(configuration.signIn == .always)
    }

    @Test func inProductionEverybodySignsInAndInTheSandboxNobody() throws {
        var configuration = ServerConfiguration()
        #expect(configuration.signIn == .never)
        configuration.asksForSignIn = true
        #expect(configuration.signIn == .toAct)
        configuration.asksForSignIn = false
        configuration.mode = .production
        configuration.roles = [.console]
        #expect(configuration.signIn == .always)
        // Nothing leaves the machine, so TLS is not asked for.
        try configuration.validate()
        configuration.mode = .test
        configuration.roles = [.console]
        configuration.consoleIsBehindTLS = true
        #expect(configuration.signIn == .always)
    }

    @Test func aShortTraceTokenIsRefused() {
        #expect(throws: ServerError.self) { try ServerConfiguration(traceToken: Secret("short")).validate() }
        #expect(throws: ServerError.self) { try ServerConfiguration(metricsToken: Secret("short")).validate() }
    }

    @Test(arguments: [("/nowhere.pem", "/nowhere.key")])
    func aCertificateThatCannotBeReadIsSaidSo(chain: String, key: String) {
        let error = #expect(throws: ServerError.self) { try TLSIdentity(certificateChainPath: chain, privateKeyPath: key).configuration() }
        #expect(error?.code == .certificateUnusable)
    }
}
