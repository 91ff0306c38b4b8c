public import ApplePay
public import PaymentCrypto
import Synchronization

/// A merchant's processing keys, read again where a token names one that is not among them: a rotation needs no restart, and
/// tokens for the old and the new key are opened side by side (reference section 7).
public final class ProcessingKeys: Sendable {
    private let ring: Mutex<KeyRing<ProcessingKey>>
    private let reread: (@Sendable () throws -> KeyRing<ProcessingKey>)?

    /// - Parameter reread: Gives the ring as it is kept now; asked for verified tokens only.
    public init(_ ring: KeyRing<ProcessingKey>, reread: (@Sendable () throws -> KeyRing<ProcessingKey>)? = nil) {
        self.ring = Mutex(ring)
        self.reread = reread
    }

    /// Opens a token. Throws as ``ApplePay/TokenDecryptor/open(_:)`` does; keys that cannot be read again leave the ring as it was.
    func open(_ token: VerifiedToken) throws(ApplePayError) -> PaymentPayload {
        do throws(ApplePayError) {
            return try TokenDecryptor(keys: ring.withLock { $0 }).open(token)
        } catch {
            guard error.code == .unknownPublicKeyHash, let reread else { throw error }
            let fresh: KeyRing<ProcessingKey>
            do { fresh = try reread() } catch let failure {
                throw ApplePayError(code: error.code, reason: "\(error.reason); the keys cannot be read again (\(type(of: failure)))")
            }
            ring.withLock { $0 = fresh }
            return try TokenDecryptor(keys: fresh).open(token)
        }
    }
}
