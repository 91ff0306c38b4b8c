import BillfoldStorage
import Foundation
import HTTPTypes
import NIOSSL
import PaymentCrypto
import Synchronization

/// What a listener proves itself with at the moment. A connection keeps what it began with.
final class ServerCertificate: Sendable {
    private struct State {
        var context: NIOSSLContext
        var mark: [UInt8]
        var notAfter: Date
    }

    let identity: TLSIdentity
    private let clock: any WallClock
    private let state: Mutex<State>

    /// Refuses as ``TLSIdentity/configuration()`` does, and with `certificate-unusable` when the key is not the certificate's. One that has
    /// ended is taken: a server that does not start helps nobody, and there is no better one.
    ///
    /// - Parameter clock: The time that callers judge a certificate by.
    init(_ identity: TLSIdentity, clock: any WallClock) throws(ServerError) {
        self.identity = identity
        self.clock = clock
        let contents = try identity.contents()
        let context = try identity.context(of: contents)
        let notAfter = try identity.notAfter(of: contents)
        state = Mutex(State(context: context, mark: contents.mark, notAfter: notAfter))
    }

    var context: NIOSSLContext { state.withLock { $0.context } }
    /// When the one in use ends.
    var notAfter: Date { state.withLock { $0.notAfter } }
    /// Whole days until then; negative once it has ended.
    var daysLeft: Int { daysLeft(until: notAfter) }

    /// Takes over what the files hold if that is something else, and whole; otherwise keeps what it has.
    ///
    /// Refuses with `certificate-ended` one that has ended, and earlier than the one in use does.
    ///
    /// - Returns: Whether new connections get something else from here on.
    func reload() throws(ServerError) -> Bool {
        let contents = try identity.contents()
        let mark = contents.mark
        guard state.withLock({ $0.mark != mark }) else { return false }
        let context = try identity.context(of: contents)
        let notAfter = try identity.notAfter(of: contents)
        let present = self.notAfter
        guard daysLeft(until: notAfter) >= 0 || notAfter >= present else {
            throw ServerError(
                code: .certificateEnded,
                reason: "\(identity.certificateChainPath) ended at \(notAfter.ISO8601Format()), the one in use ends at "
                    + present.ISO8601Format(),
                status: .internalServerError)
        }
        state.withLock { $0 = State(context: context, mark: mark, notAfter: notAfter) }
        return true
    }

    private func daysLeft(until notAfter: Date) -> Int {
        KeyExpiry.daysLeft(notAfter: notAfter, now: Date(timeIntervalSince1970: TimeInterval(clock.now().microseconds) / 1_000_000))
    }
}
