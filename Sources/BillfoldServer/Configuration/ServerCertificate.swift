import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization

/// What a listener proves itself with at the moment. A connection keeps what it began with.
final class ServerCertificate: Sendable {
    private struct State {
        var context: NIOSSLContext
        var mark: [UInt8]
    }

    let identity: TLSIdentity
    private let state: Mutex<State>

    /// Refuses as ``TLSIdentity/configuration()`` does, and with `certificate-unusable` when the key is not the certificate's.
    init(_ identity: TLSIdentity) throws(ServerError) {
        self.identity = identity
        let contents = try identity.contents()
        state = Mutex(State(context: try identity.context(of: contents), mark: contents.mark))
    }

    var context: NIOSSLContext { state.withLock { $0.context } }

    /// Takes over what the files hold if that is something else, and whole; otherwise keeps what it has.
    ///
    /// - Returns: Whether new connections get something else from here on.
    func reload() throws(ServerError) -> Bool {
        let contents = try identity.contents()
        let mark = contents.mark
        guard state.withLock({ $0.mark != mark }) else { return false }
        let context = try identity.context(of: contents)
        state.withLock { $0 = State(context: context, mark: mark) }
        return true
    }
}

/// Takes a renewed certificate over while a listener serves. One that cannot be used is told of in the log, once, and not taken over.
struct CertificateWatch: Service {
    let certificate: ServerCertificate
    let listener: String
    let logger: Logger

    func run() async throws { await cancelWhenGracefulShutdown { await look() } }

    private func look() async {
        var (former, told): (String?, String?) = (nil, nil)
        while (try? await Task.sleep(for: certificate.identity.lookEvery)) != nil {
            var failure: String?
            do throws(ServerError) {
                if try certificate.reload() {
                    logger.notice("the certificate was exchanged", metadata: ["listener": "\(listener)"])
                }
            } catch {
                failure = error.description
            }
            // Two files are not written at once: what fails at two looks is told.
            if let failure, failure == former, failure != told {
                logger.critical("the certificate is not taken over: \(failure)", metadata: ["listener": "\(listener)"])
                told = failure
            }
            if failure == nil { told = nil }
            former = failure
        }
    }
}
