import AppContainer
import BillfoldJSON
import Synchronization
import WalletAPI

/// Keeps what a mini program logs, and says yes to everything.
final class ProgramScreen: JSAPIHost {
    private let logs = Mutex<[String]>([])

    func answer(_ call: JSAPICall, _ reply: @escaping @Sendable (JSAPIAnswer) -> Void) { reply(.success([])) }

    func observe(_ event: ProgramEvent) {
        if case .console(_, let text) = event { logs.withLock { $0.append(text) } }
    }

    /// The lines, once there are as many; what there is after ten seconds.
    func lines(_ count: Int) async -> [String] {
        for _ in 0..<2_000 where logs.withLock({ $0.count }) < count { try? await Task.sleep(for: .milliseconds(5)) }
        return logs.withLock { $0 }
    }
}

/// Pays whatever it is asked to.
final class PayingService: IAPWalletPaymentServiceSignature, @unchecked Sendable {  // Holds nothing.
    override func pay(
        with request: IAPWalletPaymentRequest, in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletPaymentResult) -> Void
    ) {
        callback(IAPWalletPaymentResult(resultCode: "9000"))
    }
}
