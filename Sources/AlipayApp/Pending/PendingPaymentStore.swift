import BillfoldConcurrency
public import Foundation
import PaymentCrypto

/// Keeps the list of payments across the app's death. Written before the wallet opens, and after every answer.
public protocol PendingPaymentStore: Sendable {
    /// An empty list when there is none yet. Throws `store-damaged` when what was there is none, and is out of the way now;
    /// `store-unavailable` when it cannot be read now, as before a phone is first unlocked.
    func load() throws(AlipayAppError) -> PendingPayments
    /// Replaces the whole list. Throws `store-unavailable` when it cannot be written.
    func save(_ payments: PendingPayments) throws(AlipayAppError)
}

/// A file that is replaced as a whole: a reader finds the old list or the new one, never half of one.
///
/// Holds order numbers, times and wallets' answers, and no key. Folder and file are closed to other users of the machine. A file that
/// cannot be read is put aside with `.damaged` behind its name.
public struct FilePendingPaymentStore: PendingPaymentStore {
    public let file: URL

    public init(file: URL) { self.file = file }

    public func load() throws(AlipayAppError) -> PendingPayments {
        guard FileManager.default.fileExists(atPath: file.path) else { return PendingPayments() }
        let bytes: Data
        do { bytes = try Data(contentsOf: file) } catch {
            throw AlipayAppError(code: .storeUnavailable, reason: "the list of pending payments cannot be read now")
        }
        do { return try JSONDecoder().decode(PendingPayments.self, from: bytes) } catch {
            try putAside()
            throw AlipayAppError(code: .storeDamaged, reason: "the list of pending payments is damaged and was put aside")
        }
    }

    public func save(_ payments: PendingPayments) throws(AlipayAppError) {
        do {
            try PrivateFolder.make(file.deletingLastPathComponent().path)
            let bytes = try JSONEncoder().encode(payments)
            #if os(iOS)
                // Readable while the phone is locked, once it was unlocked after its start: the wallet may come back at any time.
                try bytes.write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
            #else
                try PrivateFile.replace(file.path, with: bytes)
            #endif
        } catch {
            throw AlipayAppError(code: .storeUnavailable, reason: "the list of pending payments could not be written")
        }
    }

    private func putAside() throws(AlipayAppError) {
        let aside = file.appendingPathExtension("damaged")
        do {
            if FileManager.default.fileExists(atPath: aside.path) { try FileManager.default.removeItem(at: aside) }
            try FileManager.default.moveItem(at: file, to: aside)
        } catch {
            throw AlipayAppError(code: .storeUnavailable, reason: "a damaged list of pending payments could not be put aside")
        }
    }
}

/// For tests and simulated phones: lasts as long as itself, which is longer than a client.
public final class VolatilePendingPaymentStore: PendingPaymentStore {
    private let payments = Locked(PendingPayments())

    public init() {}

    public func load() -> PendingPayments { payments.withLock { $0 } }
    public func save(_ payments: PendingPayments) { self.payments.withLock { $0 = payments } }
}
