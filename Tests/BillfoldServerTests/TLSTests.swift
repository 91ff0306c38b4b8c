import AsyncHTTPClient
import BillfoldServer
import BillfoldServerTestSupport
import Foundation
import Hummingbird
import NIOSSL
import Testing

@Suite(.serialized) struct TLSTests {
    private func overTLS(_ router: Router<ServerRequestContext>) { router.get("/x") { _, _ in "over TLS" } }

    /// Asks over a new connection, believing one certificate.
    func ask(
        _ server: RunningServer, believing root: NIOSSLCertificate, adjust: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> Answer {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([root])
        adjust(&tls)
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.timeout.connect = .seconds(3)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let answer = try await Answer.send("GET", "https://localhost:\(try #require(server.ports["public"]))/x", client: client)
            try await client.shutdown()
            return answer
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    @Test func aListenerWithACertificateSpeaksTLSAndNothingElse() async throws {
        let identity = try TestIdentity()
        try await RunningServer.with(tls: identity.tls, routes: overTLS) { (server: RunningServer) async throws in
            let answer = try await ask(server, believing: identity.root)
            #expect(answer.status == 200)
            #expect(answer.body == "over TLS")
            #expect(answer.headers["strict-transport-security"] != nil)
            let plain = try await RawConnection.exchange(
                port: try #require(server.ports["public"]), pieces: ["GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n"])
            #expect(!plain.contains("over TLS"))
        }
    }

    /// A certificate whose key could decrypt as well as sign: what the key is used for depends on the suite alone.
    @Test(arguments: [
        ("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", true), ("TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256", true),
        ("TLS_RSA_WITH_AES_128_GCM_SHA256", false), ("TLS_RSA_WITH_AES_256_CBC_SHA", false), ("TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA", false),
    ])
    func onlySuitesWithForwardSecrecyAndAuthenticatedEncryptionAreSpoken(suite: String, isSpoken: Bool) async throws {
        let cipher: NIOTLSCipher =
            switch suite {
            case "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256": .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256
            case "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256": .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
            case "TLS_RSA_WITH_AES_128_GCM_SHA256": .TLS_RSA_WITH_AES_128_GCM_SHA256
            case "TLS_RSA_WITH_AES_256_CBC_SHA": .TLS_RSA_WITH_AES_256_CBC_SHA
            default: .TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA
            }
        let identity = try TestIdentity(.rsa)
        try await RunningServer.with(tls: identity.tls, routes: overTLS) { (server: RunningServer) async throws in
            func answer() async throws -> Answer {
                try await ask(server, believing: identity.root) { tls in
                    tls.maximumTLSVersion = .tlsv12
                    tls.cipherSuiteValues = [cipher]
                }
            }
            if isSpoken {
                #expect(try await answer().body == "over TLS")
            } else {
                await #expect(throws: (any Error).self) { try await answer() }
            }
        }
    }

    @Test func whatWeConnectWithHasForwardSecrecyToo() throws {
        for tls in [OutgoingTLS.standard, try OutgoingTLS()] {
            #expect(tls.configuration.minimumTLSVersion == .tlsv12)
            let names = tls.configuration.cipherSuites.split(separator: ":")
            #expect(
                !names.isEmpty && names.allSatisfy { $0.hasPrefix("TLS_ECDHE_") && ($0.contains("_GCM_") || $0.contains("_POLY1305_")) })
        }
    }

    @Test func aRenewedCertificateIsTakenOverWithoutARestart() async throws {
        let identity = try TestIdentity(lookEvery: .milliseconds(30))
        let log = MemoryLog()
        let surroundings = RunningServer.surroundings(log: log)
        try await RunningServer.with(tls: identity.tls, surroundings: surroundings, routes: overTLS) {
            (server: RunningServer) async throws in
            func isAnswered(_ root: NIOSSLCertificate, within patience: Duration = .seconds(10)) async throws -> Bool {
                let end = ContinuousClock.now.advanced(by: patience)
                while ContinuousClock.now < end {
                    if let answer = try? await ask(server, believing: root), answer.status == 200 { return true }
                    try await Task.sleep(for: .milliseconds(20))
                }
                return false
            }
            func isLogged(_ text: String) async throws -> Bool {
                let end = ContinuousClock.now.advanced(by: .seconds(10))
                while ContinuousClock.now < end, !log.lines.contains(where: { $0.contains(text) }) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                return log.lines.contains { $0.contains(text) }
            }
            let (chain, key) = try TestIdentity.make()
            let renewed = try NIOSSLCertificate(bytes: Array(chain.utf8), format: .pem)
            // The new certificate beside the old key is not served, and neither is a file that is cut off.
            try identity.write(chain: chain)
            #expect(try await isLogged("do not belong together"))
            #expect(try await isAnswered(identity.root))
            try identity.write(chain: String(chain.prefix(100)))
            #expect(try await isLogged("cannot be read as PEM"))
            #expect(try await isAnswered(identity.root))
            try identity.write(chain: chain, key: key, mode: 0o640)
            #expect(try await isLogged("key-store-exposed"))
            #expect(try await isAnswered(identity.root))
            try identity.write(key: key)
            #expect(try await isAnswered(renewed))
            #expect(try await isLogged("the certificate was exchanged"))
            await #expect(throws: (any Error).self) { try await ask(server, believing: identity.root) }
            #expect(!log.lines.contains { $0.contains("PRIVATE KEY") || $0.contains(key.split(separator: "\n")[1]) })
        }
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660])
    func aKeyThatOthersMayReadIsNotServed(mode: Int) async throws {
        let identity = try TestIdentity()
        try identity.write(key: TestIdentity.make().key, mode: mode)
        let error = #expect(throws: ServerError.self) { try identity.tls.configuration() }
        #expect(error?.code == .keyStoreExposed)
        #expect(error?.reason.contains("key.pem is open to other users (mode \(String(mode, radix: 8)))") == true)
    }

    @Test(.enabled(if: geteuid() == 0, "giving a file to another user takes root"))
    func aKeyOfAnotherUserIsNotServed() async throws {
        let identity = try TestIdentity()
        try #require(chown(identity.tls.privateKeyPath, 65_534, 65_534) == 0)
        let error = #expect(throws: ServerError.self) { try identity.tls.configuration() }
        #expect(error?.code == .keyStoreExposed)
    }

    @Test func aKeyOfAnotherCertificateDoesNotStart() async throws {
        let identity = try TestIdentity()
        try identity.write(key: TestIdentity.make().key)
        let surroundings = RunningServer.surroundings()
        let configuration = ListenerConfiguration(name: "public", address: ListenAddress(port: 0), tls: identity.tls)
        let listener = Listener(configuration, router: surroundings.router(for: configuration), logger: surroundings.logger)
        let group = ServerGroup(listeners: [listener], surroundings: surroundings, handlesSignals: false)
        let error = await #expect(throws: ServerError.self) { try await group.run() }
        #expect(error?.code == .certificateUnusable)
    }
}
