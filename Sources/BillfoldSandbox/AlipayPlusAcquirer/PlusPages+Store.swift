import AlipayPlus
import BillfoldMoney
import BillfoldWeb
import HTTPTypes
import Hummingbird

/// The counter with its static code, and what is debited every week.
extension PlusPages {
    /// - Parameter address: What the code on the counter says.
    func store(_ address: String) throws -> Response {
        let code = try QRCode(address)
        return try page(
            "store", StorePage(address: address, path: code.path, viewBox: code.viewBox), title: "Scan to pay", path: "/plus-shop/store")
    }

    private struct StorePage: Sendable {
        let address: String
        let path: String
        let viewBox: String
    }

    /// - Parameter order: What waits to be paid; nil where the amount is asked for.
    func counter(_ order: AcquirerOrder? = nil, problem: String? = nil) throws -> Response {
        let attempt = order?.attempt
        return try page(
            "counter", CounterPage(price: order?.price, state: Self.words(attempt?.state), page: attempt?.page, problem: problem),
            title: "At the counter", path: AlipayPlusAcquirerService.counterPath, status: problem == nil ? .ok : .unprocessableContent)
    }

    private struct CounterPage: Sendable {
        let price: Amount?
        let state: String
        /// Where the order is paid; nil where there is none.
        let page: String?
        let problem: String?
    }

    func weekly(_ agreements: [AcquirerAgreement], problem: String? = nil) throws -> Response {
        let asked = agreements.first { $0.state == .asked }
        let values = WeeklyPage(
            agreements: agreements.map(WeeklyPage.Agreement.init),
            asked: asked?.page == nil ? nil : asked.map(WeeklyPage.Agreement.init), problem: problem)
        return try page(
            "weekly", values, title: values.offer.name, path: "/plus-shop/weekly", status: problem == nil ? .ok : .conflict)
    }

    private struct WeeklyPage: Sendable {
        struct Agreement: Sendable {
            let number: String
            let wallet: String
            let state: String
            let words: String
            let isActive: Bool
            let page: String?

            init(_ agreement: AcquirerAgreement) {
                number = agreement.id
                wallet = MobileWalletProfile.find(type: agreement.wallet)?.brand ?? agreement.wallet
                state = agreement.state.rawValue
                words =
                    switch agreement.state {
                    case .asked: "the customer was asked"
                    case .active: "may be debited"
                    case .ended: "ended"
                    }
                isActive = agreement.state == .active
                page = agreement.page
            }
        }

        let offer = AlipayPlusAcquirerService.delivery
        let wallets = MobileWalletProfile.all.filter { $0.scenarios.contains(.automaticDebit) }
        let agreements: [Agreement]
        /// The consent that waits for the customer.
        let asked: Agreement?
        let problem: String?
    }
}
