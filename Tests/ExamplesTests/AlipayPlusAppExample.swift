import AlipayPlusApp
import Testing

struct AlipayPlusAppExample {
    // Example
    @MainActor
    struct Checkout {
        /// Once, when the app starts.
        init() {
            let configuration = IAPConfiguration()
            configuration.merchantId = "M-1"
            configuration.acquirerId = "A1112TEST0000000"
            configuration.envType = kIAPEnvSANDBOX
            AlipayPlusClient.shared.setConfiguration(configuration)
        }

        /// What the row of Alipay+ says: its name, or why it cannot be chosen.
        func row(currency: String) async throws -> String? {
            let params = IAPInquirePaymentOptionParams()
            params.paymentCurrency = currency
            let option = try await AlipayPlusClient.shared.inquirePaymentOption(params)
            return option.enabled ? option.brandName : option.disableReason
        }

        /// Shows the sheet of the payment data that the shop's server was answered, and says what comes next.
        func pay(_ paymentData: String) async -> String {
            switch await AlipayPlusClient.shared.showPaymentSheet(paymentData) {
            case .left, .alipay: return "ask the shop's server"
            case .cancelled: return "choose again"
            case .failed(let error): return "\(error)"
            }
        }
    }
    // End

    @MainActor @Test func example() async throws {
        let phone = SheetPhone()
        let (row, next, refused) = try await AlipayPlusClient.$current.withValue(phone.client) {
            let checkout = Checkout()
            return (try await checkout.row(currency: "PHP"), await checkout.pay(phone.paymentData), await checkout.pay("{}"))
        }
        #expect(row == "Alipay+")
        #expect(next == "ask the shop's server")
        #expect(refused.hasPrefix("1001 PARAM_ILLEGAL"))
    }
}
