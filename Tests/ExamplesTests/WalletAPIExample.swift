import Testing
import WalletAPI

struct WalletAPIExample {
    @Test func example() async {
        // Example
        /// The super app's scanner. Unchecked because its superclass is: what it holds may be used from any thread.
        final class ScanService: IAPWalletCodeServiceSignature, @unchecked Sendable {
            private let scanner: @Sendable (_ albumAllowed: Bool) async -> String?

            init(scanner: @escaping @Sendable (_ albumAllowed: Bool) async -> String?) {
                self.scanner = scanner
                super.init()
            }

            override func scan(
                with option: IAPWalletScannerOption, in context: IAPWalletAPIContext? = nil,
                callback: @escaping @Sendable (IAPWalletScannerResult) -> Void
            ) {
                Task {
                    guard let text = await scanner(!option.hideAlbum) else {
                        return callback(IAPWalletScannerResult().failing(.userCancel, "the person left"))
                    }
                    callback(IAPWalletScannerResult(code: text))
                }
            }
        }

        let services = WalletServices(code: ScanService { albumAllowed in albumAllowed ? "https://shop.example/1" : nil })
        let read = await services.code.scan(with: IAPWalletScannerOption())
        // read.code: what was read, https://shop.example/1
        let left = await services.code.scan(with: IAPWalletScannerOption(hideAlbum: true))
        // left.failure: why nothing was, 1001 ERROR_CODE_USER_CANCEL: the person left
        // services.findings: the four services that are still missing
        // End
        #expect(read.code == "https://shop.example/1")
        #expect(read.failure == nil)
        #expect(left.code == nil)
        #expect(left.failure.map { "\($0)" } == "1001 ERROR_CODE_USER_CANCEL: the person left")
        #expect(services.findings.count == 4)
    }
}
