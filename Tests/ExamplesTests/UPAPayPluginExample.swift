import Foundation
import Testing
import UPAPayPlugin

struct UPAPayPluginExample {
    // Example
    /// Hears how the sheet of Apple Pay ended. No word of it says that money moved.
    final class SheetWatcher: NSObject, UPAPayPluginDelegate {
        private(set) var isOver = false

        func upaPayPluginResult(_ payResult: UPPayResult!) { isOver = payResult.paymentResultStatus != .success }
    }
    // End

    @MainActor @Test func example() {
        let (watcher, result) = (SheetWatcher(), UPPayResult())
        result.paymentResultStatus = .cancel
        watcher.upaPayPluginResult(result)
        #expect(watcher.isOver)
    }
}
