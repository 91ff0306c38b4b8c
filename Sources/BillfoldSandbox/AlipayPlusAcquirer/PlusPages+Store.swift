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
            "store", "Scan to pay", path: "/plus-shop/store",
            ["address": address, "code": ["path": code.path, "viewBox": code.viewBox] as [String: Any]])
    }

    /// - Parameter order: What waits to be paid; nil where the amount is asked for.
    func counter(_ order: AcquirerOrder? = nil, problem: String? = nil) throws -> Response {
        var model: [String: Any] = [:]
        model["problem"] = problem
        if let order, let next = order.attempt?.page {
            model["order"] = fields(order).merging(["page": next]) { _, new in new }
        }
        return try page(
            "counter", "At the counter", path: AcquirerService.counterPath, status: problem == nil ? .ok : .unprocessableContent, model)
    }

    func weekly(_ agreements: [AcquirerAgreement], problem: String? = nil) throws -> Response {
        let offer = AcquirerService.delivery
        var model: [String: Any] = [
            "name": offer.name, "summary": offer.summary, "price": offer.price.description,
            "wallets": MobileWalletProfile.all.filter { $0.scenarios.contains(.automaticDebit) }
                .map { ["type": $0.type, "brand": $0.brand] as [String: Any] },
            "agreements": agreements.map(Self.fields), "hasAgreements": !agreements.isEmpty,
        ]
        model["problem"] = problem
        if let asked = agreements.first(where: { $0.state == .asked }), let page = asked.page {
            model["asked"] = ["wallet": Self.brand(asked), "page": page]
        }
        return try page("weekly", offer.name, path: "/plus-shop/weekly", status: problem == nil ? .ok : .conflict, model)
    }

    private static func brand(_ agreement: AcquirerAgreement) -> String {
        MobileWalletProfile.find(type: agreement.wallet)?.brand ?? agreement.wallet
    }

    private static func fields(_ agreement: AcquirerAgreement) -> [String: Any] {
        let words =
            switch agreement.state {
            case .asked: "the customer was asked"
            case .active: "may be debited"
            case .ended: "ended"
            }
        return [
            "number": agreement.id, "wallet": brand(agreement), "state": agreement.state.rawValue, "words": words,
            "isActive": agreement.state == .active,
        ]
    }
}
