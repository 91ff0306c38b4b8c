import Foundation
import PassKitSimulator

/// Methods that end in `handler`, errors that name a field, coupons.
@MainActor
enum FestivalDriver {
    static func drive() async {
        let phone = Phones.phone(cards: [Phones.visa], contacts: [Phones.lisbon, Phones.albany])
        let shop = FestivalViewController()
        let service = TestService(.result(.charged), .result(.declined))
        shop.service = service
        let window = SimulatedDevice.$current.withValue(phone) {
            let window = UIWindow(frame: .zero)
            window.rootViewController = shop
            window.makeKeyAndVisible()
            return window
        }
        let button = shop.view.subviews.compactMap { $0 as? PKPaymentButton }.first
        check("the button has its type and style", button?.paymentButtonType == .book && button?.paymentButtonStyle == .automatic)
        SimulatedDevice.$current.withValue(phone) { button?.sendTap() }
        guard let sheet = phone.presentedSheet else { return check("the sheet came up", false, phone.faults) }
        await sheet.settle()
        check(
            "two errors mark an address that is not served", sheet.state.problems.map(\.field) == [nil, "country"], sheet.state.problems)

        await CartDriver.perform(.selectContact("albany"), .selectShippingMethod("gate"), .enterCouponCode("AUTUMN"), on: sheet)
        check("an unknown coupon is named", sheet.state.problems.map(\.code) == ["couponCodeInvalidError"])
        await CartDriver.perform(.enterCouponCode("SPRING"), on: sheet)
        check("an old coupon is named", sheet.state.problems.map(\.code) == ["couponCodeExpiredError"])
        await CartDriver.perform(.enterCouponCode("LANTERN"), .requestMerchantSession, on: sheet)
        check("a good coupon changes the sum", sheet.state.problems.isEmpty && sheet.state.total == "37.5", sheet.state.total)
        await CartDriver.perform(.authorize, on: sheet)
        check("paid by the newer form", sheet.state.phase == .succeeded && service.tokens.count == 1)
        check("the contact came in full at the end", shop.phone == "+1 518 555 0100")
        await until("the app knows") { shop.result == .success }

        await until("the screen is free again") { phone.presentedSheet == nil }
        phone.update { $0.contacts = [Phones.albany] }
        SimulatedDevice.$current.withValue(phone) { shop.buy() }
        guard let second = phone.presentedSheet else { return check("the second sheet came up", false, phone.faults) }
        await second.settle()
        await CartDriver.perform(.authorize, on: second)
        await until("refused by the newer form") { second.state.phase == .failed && shop.result == .failure }
        check("nothing was wrong with the app", phone.faults.isEmpty, phone.faults)
        withExtendedLifetime(window) {}
    }
}
