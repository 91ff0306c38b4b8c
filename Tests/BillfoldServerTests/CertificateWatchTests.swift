import BillfoldServer
import BillfoldServerTestSupport
import BillfoldStorage
import Foundation
import Hummingbird
import NIOSSL
import Testing

/// What a listener says of its certificate while it serves.
@Suite struct CertificateWatchTests {
    private static let longAgo = Date(timeIntervalSince1970: 1_700_000_000)

    private func overTLS(_ router: Router<ServerRequestContext>) { router.get("/x") { _, _ in "over TLS" } }

    /// The lines that say all of it, waited for until there are so many.
    private func lines(_ texts: [String], in log: MemoryLog, count: Int = 1) async throws -> [String] {
        func found() -> [String] { log.lines.filter { line in texts.allSatisfy { line.contains($0) } } }
        let end = ContinuousClock.now.advanced(by: .seconds(10))
        while ContinuousClock.now < end, found().count < count { try await Task.sleep(for: .milliseconds(20)) }
        return found()
    }

    private func isMeasured(_ daysLeft: Int, _ surroundings: ServerSurroundings) async throws -> Bool {
        let sample = "tls_certificate_days_left{listener=\"public\"} \(daysLeft)\n"
        let end = ContinuousClock.now.advanced(by: .seconds(10))
        while ContinuousClock.now < end, !surroundings.metrics.text().contains(sample) { try await Task.sleep(for: .milliseconds(20)) }
        return surroundings.metrics.text().contains(sample)
    }

    @Test func oneThatHasEndedIsServedAndSaidSo() async throws {
        let identity = try TestIdentity(until: Self.longAgo, lookEvery: .milliseconds(30))
        let log = MemoryLog()
        let surroundings = RunningServer.surroundings(log: log)
        try await RunningServer.with(tls: identity.tls, surroundings: surroundings, routes: overTLS) {
            (server: RunningServer) async throws in
            let told = try await lines(["critical", "certificate-ended: ", "chain.pem ended at 2023-11-14T22:13:20Z"], in: log)
            #expect(told.count == 1)
            #expect(told.first?.contains(#""listener":"public""#) == true)
            #expect(surroundings.metrics.text().contains(#"tls_certificate_days_left{listener="public"} -"#))
            let answer = try await TLSTests().ask(server, believing: identity.root) { $0.certificateVerification = .none }
            #expect(answer.body == "over TLS")
            // A newer one that has ended too is no worse; a valid one ends the matter.
            let (chain, key) = try TestIdentity.make(until: Self.longAgo.addingTimeInterval(86_400))
            try identity.write(chain: chain, key: key)
            #expect(try await lines(["critical", "ended at 2023-11-15T22:13:20Z, and callers refuse it"], in: log).count == 1)
            let (renewed, itsKey) = try TestIdentity.make()
            try identity.write(chain: renewed, key: itsKey)
            #expect(try await isMeasured(0, surroundings))
            let root = try NIOSSLCertificate(bytes: Array(renewed.utf8), format: .pem)
            #expect(try await TLSTests().ask(server, believing: root).body == "over TLS")
        }
    }

    @Test func oneThatHasEndedIsNotTakenOverForOneThatHasNot() async throws {
        let identity = try TestIdentity(lookEvery: .milliseconds(30))
        let log = MemoryLog()
        try await RunningServer.with(tls: identity.tls, surroundings: RunningServer.surroundings(log: log), routes: overTLS) {
            (server: RunningServer) async throws in
            let (chain, key) = try TestIdentity.make(until: Self.longAgo)
            try identity.write(chain: chain, key: key)
            let refusal = ["critical", "is not taken over: certificate-ended: ", "ended at 2023-11-14T22:13:20Z, the one in use ends at "]
            #expect(try await lines(refusal, in: log).count == 1)
            #expect(try await TLSTests().ask(server, believing: identity.root).body == "over TLS")
            #expect(!log.lines.contains { $0.contains("was exchanged") })
            let (renewed, itsKey) = try TestIdentity.make()
            try identity.write(chain: renewed, key: itsKey)
            #expect(try await lines(["notice", "the certificate was exchanged"], in: log).count == 1)
            #expect(try await lines(["notice", "in order again"], in: log).count == 1)
            #expect(try await lines(refusal, in: log).count == 1)
        }
    }

    @Test func whatIsLeftIsMeasuredAndNearTheEndToldOnceADay() async throws {
        let clock = StandingClock()
        let end = Date(timeIntervalSince1970: 1_772_000_000 + 16.5 * 86_400)
        let identity = try TestIdentity(until: end, lookEvery: .milliseconds(20))
        let log = MemoryLog()
        let surroundings = RunningServer.surroundings(log: log)
        let configuration = ListenerConfiguration(name: "public", address: ListenAddress(port: 0), tls: identity.tls)
        let listener = Listener(
            configuration, router: surroundings.router(for: configuration), logger: surroundings.logger, clock: clock)
        try await RunningServer.with([listener], surroundings: surroundings) { (_: RunningServer) async throws in
            let day = Duration.seconds(86_400)
            #expect(try await isMeasured(16, surroundings))
            clock.advance(by: day)
            #expect(try await isMeasured(15, surroundings))
            #expect(!log.lines.contains { $0.contains("near its end") || $0.contains("certificate-ended") })
            clock.advance(by: day)
            #expect(try await isMeasured(14, surroundings))
            #expect(try await lines(["warning", "near its end: 14 days left"], in: log).count == 1)
            // Many looks later on the same day nothing is said anew.
            clock.advance(by: .seconds(3_600))
            try await Task.sleep(for: .milliseconds(200))
            #expect(log.lines.filter { $0.contains("near its end") }.count == 1)
            clock.advance(by: day)
            #expect(try await lines(["warning", "near its end: 13 days left"], in: log).count == 1)
            clock.advance(by: day * 14)
            #expect(try await isMeasured(-1, surroundings))
            #expect(try await lines(["critical", "certificate-ended: "], in: log).count == 1)
            clock.advance(by: day)
            #expect(try await lines(["critical", "certificate-ended: "], in: log, count: 2).count == 2)
            #expect(log.lines.filter { $0.contains("near its end") }.count == 2)
        }
    }

    @Test func eachReasonIsToldAndThatItIsOver() async throws {
        let identity = try TestIdentity(lookEvery: .milliseconds(50))
        let chain = try String(contentsOfFile: identity.tls.certificateChainPath, encoding: .utf8)
        let key = try String(contentsOfFile: identity.tls.privateKeyPath, encoding: .utf8)
        let log = MemoryLog()
        try await RunningServer.with(tls: identity.tls, surroundings: RunningServer.surroundings(log: log), routes: overTLS) {
            (server: RunningServer) async throws in
            for round in 1...2 {
                // Told at once, for it is wrong already.
                try identity.write(key: key, mode: 0o644)
                #expect(try await lines(["critical", "not taken over: key-store-exposed"], in: log, count: round).count == round)
                // What may be half of a renewal is a warning at first.
                try identity.write(chain: "no certificate", key: key)
                #expect(try await lines(["critical", "cannot be read as PEM"], in: log, count: round).count == round)
                try FileManager.default.removeItem(atPath: identity.tls.certificateChainPath)
                #expect(try await lines(["critical", "chain.pem cannot be read\""], in: log, count: round).count == round)
                try identity.write(chain: try TestIdentity.make().chain)
                #expect(try await lines(["critical", "do not belong together"], in: log, count: round).count == round)
                try identity.write(chain: chain)
                #expect(try await lines(["notice", "in order again"], in: log, count: round).count == round)
            }
            for text in ["cannot be read as PEM", "chain.pem cannot be read\"", "do not belong together"] {
                let levels = log.lines.filter { $0.contains(text) }.map { $0.contains("not taken over yet") && $0.contains("warning") }
                #expect(levels == [true, false, true, false], "\(text)")
            }
            try await Task.sleep(for: .milliseconds(200))
            #expect(log.lines.filter { $0.contains("not taken over") }.count == 14)
            #expect(!log.lines.contains { $0.contains("was exchanged") })
            #expect(try await TLSTests().ask(server, believing: identity.root).body == "over TLS")
        }
    }
}
