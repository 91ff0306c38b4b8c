import Dispatch
import Foundation
import Synchronization
import Testing
import WalletAPI

/// Marks the main queue: on Linux no thread of a process with an asynchronous `main` calls itself the main one.
private let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Says whether it was called on the main queue.
private final class Where: IAPWalletDeeplinkServiceSignature, @unchecked Sendable {  // State lies behind a lock.
    let wasMain = Mutex<[Bool]>([])

    override func open(scheme: URL, in context: IAPWalletAPIContext? = nil) -> Bool {
        wasMain.withLock { $0.append(DispatchQueue.getSpecific(key: mark) == true) }
        return true
    }

    override func open(
        bizSceneCode: String, with param: [String: String] = [:], in context: IAPWalletAPIContext? = nil,
        callback: @escaping @Sendable (IAPWalletBaseServiceResult) -> Void
    ) {
        wasMain.withLock { $0.append(DispatchQueue.getSpecific(key: mark) == true) }
        // Answered from elsewhere, as a service may.
        Thread { callback(IAPWalletBaseServiceResult()) }.start()
    }
}

@Suite struct ThreadTests {
    /// A published sample presents its alert in the method itself: it must not be called anywhere else.
    @Test func containerCallsOnTheMainThread() async throws {
        _ = mark
        let service = Where()
        let workflow = DeepLinkWorkflow(
            services: WalletServices(deepLink: service), policy: { _ in DeepLinkPolicy(scenes: ["SCAN"], schemes: ["wallet"]) })
        let context = IAPWalletAPIContext(appId: "a")
        _ = try await workflow.open(scene: "SCAN", with: [:], in: context, hasGesture: true)
        try await workflow.open("wallet://topup", in: context, hasGesture: true)
        #expect(service.wasMain.withLock { $0 } == [true, true])
        // The mark tells the one from the other.
        #expect(await Task.detached { DispatchQueue.getSpecific(key: mark) == nil }.value)
    }
}
