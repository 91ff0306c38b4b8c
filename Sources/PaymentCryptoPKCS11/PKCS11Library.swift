import CP11Kit
import Foundation
import PaymentCrypto
import Synchronization

/// A vendor's PKCS#11 module, loaded once and for as long as the process runs.
///
/// It stays initialised to the end: modules take their state apart themselves when the process ends, and do not take being called then.
final class PKCS11Library: @unchecked Sendable {
    // The table of functions is constant, and p11-kit initialises modules for use by several threads. What counts callers is read and
    // written under the gate's lock alone.
    let functions: CK_FUNCTION_LIST
    private let module: UnsafeMutablePointer<CK_FUNCTION_LIST>
    private let gate = NSCondition()
    private var callers = 0
    private var isRestarting = false
    private var generation = 0
    private var lastRestart: ContinuousClock.Instant?

    private static let restartInterval = Duration.seconds(2)

    private static let loaded = Mutex<[String: PKCS11Library]>([:])

    /// The module of that path. Throws `key-store-unavailable`.
    static func at(_ path: String) throws(PaymentCryptoError) -> PKCS11Library {
        let result = loaded.withLock { loaded -> Result<PKCS11Library, PaymentCryptoError> in
            if let known = loaded[path] { return .success(known) }
            do throws(PaymentCryptoError) {
                let library = try PKCS11Library(path: path)
                loaded[path] = library
                return .success(library)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private init(path: String) throws(PaymentCryptoError) {
        guard let list = p11_kit_module_load(path, CInt(P11_KIT_MODULE_CRITICAL)) else {
            throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "the PKCS#11 module \(path) cannot be loaded")
        }
        let result = p11_kit_module_initialize(list)
        guard result == CKR_OK else {
            p11_kit_module_release(list)
            throw PaymentCryptoError(
                code: .keyStoreUnavailable, reason: "the PKCS#11 module \(path) cannot be initialised: \(PKCS11Failure.text(result))")
        }
        functions = list.pointee
        module = list
    }

    /// Runs calls into the module, which is not initialised anew meanwhile. May be nested.
    ///
    /// - Parameter body: Is told how often the module was initialised anew: what it gave out before is gone.
    func use<Result>(_ body: (_ generation: Int) throws -> Result) rethrows -> Result {
        gate.lock()
        while isRestarting { gate.wait() }
        callers += 1
        let current = generation
        gate.unlock()
        defer {
            gate.lock()
            callers -= 1
            gate.unlock()
        }
        return try body(current)
    }

    /// Initialises the module anew: some, SoftHSM among them, look only then which tokens there are. Every session of the process ends.
    ///
    /// Does nothing, and returns false, while calls are under way and shortly after it was done last.
    func restart() -> Bool {
        gate.lock()
        let isRecent = lastRestart.map { $0.duration(to: ContinuousClock.now) < Self.restartInterval } ?? false
        guard callers == 0, !isRestarting, !isRecent else {
            gate.unlock()
            return false
        }
        isRestarting = true
        lastRestart = ContinuousClock.now
        gate.unlock()
        // Where it cannot be taken apart there is nothing to take apart.
        _ = p11_kit_module_finalize(module)
        let isReady = p11_kit_module_initialize(module) == CKR_OK
        gate.lock()
        isRestarting = false
        generation += 1
        gate.broadcast()
        gate.unlock()
        return isReady
    }

    /// The slot of the token with that label. Throws `key-store-unavailable`.
    func slot(label: String) throws(PaymentCryptoError) -> CK_SLOT_ID {
        guard let getSlots = functions.C_GetSlotList, let getToken = functions.C_GetTokenInfo else { throw Self.incomplete }
        var count: CK_ULONG = 0
        try check(getSlots(CK_BBOOL(CK_TRUE), nil, &count), "C_GetSlotList")
        var slots = [CK_SLOT_ID](repeating: 0, count: Int(count))
        try check(getSlots(CK_BBOOL(CK_TRUE), &slots, &count), "C_GetSlotList")
        for slot in slots.prefix(Int(count)) {
            var info = CK_TOKEN_INFO()
            // A token that was taken out in between is not the one we look for.
            guard getToken(slot, &info) == CKR_OK else { continue }
            // 32 bytes, padded with spaces.
            let padded = withUnsafeBytes(of: info.label) { String(decoding: $0, as: UTF8.self) }
            if padded.prefix(while: { $0 != "\0" }).trimmingSuffix(" ") == label { return slot }
        }
        throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "no token is labelled \(label)")
    }

    static let incomplete = PaymentCryptoError(code: .keyStoreUnavailable, reason: "the PKCS#11 module lacks a function that is needed")

    private func check(_ result: CK_RV, _ function: String) throws(PaymentCryptoError) {
        guard result == CKR_OK else {
            throw PaymentCryptoError(code: .keyStoreUnavailable, reason: "\(function): \(PKCS11Failure.text(result))")
        }
    }
}

extension StringProtocol {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var rest = self[...]
        while rest.last == character { rest.removeLast() }
        return String(rest)
    }
}

/// What a module answered instead of `CKR_OK`.
enum PKCS11Failure {
    static func text(_ result: CK_RV) -> String { "CKR 0x" + String(result, radix: 16) }

    /// Whether a new session may mend it.
    static func isOfSession(_ result: CK_RV) -> Bool {
        [
            CKR_SESSION_HANDLE_INVALID, CKR_SESSION_CLOSED, CKR_USER_NOT_LOGGED_IN, CKR_DEVICE_ERROR, CKR_DEVICE_REMOVED,
            CKR_TOKEN_NOT_PRESENT, CKR_KEY_HANDLE_INVALID, CKR_OBJECT_HANDLE_INVALID, CKR_OPERATION_ACTIVE,
        ].contains { CK_RV($0) == result }
    }

    /// Whether the PIN is wrong. Trying on would lock the token.
    static func isOfPIN(_ result: CK_RV) -> Bool {
        [CKR_PIN_INCORRECT, CKR_PIN_LOCKED, CKR_PIN_EXPIRED, CKR_PIN_INVALID, CKR_PIN_LEN_RANGE].contains { CK_RV($0) == result }
    }
}
