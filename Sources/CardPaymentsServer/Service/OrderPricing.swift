import BillfoldMoney
import Foundation

/// Computes what an order comes to. The client mirrors these figures and is never their source (apple-pay.md#amounts).
struct OrderPricing {
    /// What the shopper has chosen so far.
    struct Choice: Sendable, Hashable {
        var shippingMethod: String?
        var couponCode: String?
        var contact: Contact?
    }

    struct Quote: Sendable, Hashable {
        var items: [PaymentDetail.Item]
        var total: Amount
        var errors: [FieldError]
        var shippingMethod: String?
    }

    let order: OrderDefinition
    let rounding: Rounding

    /// Every line is rounded for itself and only rounded amounts are added; the total is not rounded again. A coupon takes its
    /// percentage off each line, and tax is due on what is left.
    ///
    /// - Parameter isToBePaid: Whether the shopper has authorised it: then nothing may be open any more.
    func quote(_ choice: Choice, at now: Date, isToBePaid: Bool = false) throws(CardPaymentsError) -> Quote {
        do {
            var errors: [FieldError] = []
            let coupon = coupon(choice.couponCode, at: now, errors: &errors)
            var items: [PaymentDetail.Item] = []
            var tax = Amount.zero(order.currency)
            var discount = Amount.zero(order.currency)
            var total = Amount.zero(order.currency)
            for line in order.lines {
                let net = try Amount(line.unitAmount, currency: order.currency, fraction: .exact) * line.quantity
                items.append(PaymentDetail.Item(label: line.label, amount: net.text))
                let off = try coupon.map { try net.percentage($0.percentOff, rounding: rounding) } ?? .zero(order.currency)
                let taxed = try PricedLine(unitAmount: net - off, quantity: 1, taxRate: Rational(decimal: line.taxRate))
                try tax += taxed.tax(rounding: rounding)
                try discount += off
                try total += net
            }
            if let coupon, !discount.isZero {
                items.append(PaymentDetail.Item(label: coupon.label, amount: try discount.negated().text))
                try total -= discount
            }
            if !tax.isZero {
                items.append(PaymentDetail.Item(label: "Tax", amount: tax.text))
                try total += tax
            }
            let method = try shippingMethod(choice.shippingMethod)
            if let method {
                let amount = try Amount(method.amount, currency: order.currency, fraction: .exact)
                guard !amount.isNegative else {
                    throw CardPaymentsError(code: .invalidAmount, reason: "shipping costs less than nothing")
                }
                items.append(PaymentDetail.Item(label: method.label, amount: amount.text))
                try total += amount
            }
            guard !total.isNegative else { throw CardPaymentsError(code: .invalidAmount, reason: "the total is below zero") }
            if let error = serviceError(choice.contact) { errors.append(error) }
            if isToBePaid, let error = contactError(choice.contact) { errors.append(error) }
            return Quote(items: items, total: total, errors: errors, shippingMethod: method?.identifier)
        } catch let error as MoneyError {
            throw CardPaymentsError(code: .invalidAmount, reason: error.reason)
        } catch let error as CardPaymentsError {
            throw error
        } catch {
            throw CardPaymentsError(code: .invalidAmount, reason: "the order cannot be priced")
        }
    }

    /// Prices everything that could be asked for, so that an order whose amounts cannot be read is refused when it is made.
    func validate(at now: Date) throws(CardPaymentsError) {
        for method in order.shippingMethods { _ = try quote(Choice(shippingMethod: method.identifier), at: now) }
        for coupon in order.coupons {
            let percent = try? Rational(percent: coupon.percentOff)
            let fits = percent.map { !$0.isNegative && !(Rational.one < $0) } ?? false
            guard fits else {
                throw CardPaymentsError(code: .invalidAmount, reason: "percentOff is not a percentage from 0 to 100")
            }
            _ = try quote(Choice(couponCode: coupon.code), at: now)
        }
        guard try quote(Choice(), at: now).total.isPositive else {
            throw CardPaymentsError(code: .invalidAmount, reason: "the order comes to nothing")
        }
    }

    private func coupon(_ code: String?, at now: Date, errors: inout [FieldError]) -> OrderDefinition.Coupon? {
        guard let code else { return nil }
        guard let coupon = order.coupons.first(where: { $0.code.utf8.elementsEqual(code.utf8) }) else {
            errors.append(FieldError(code: "couponCodeInvalid", field: nil, message: "This code is not valid."))
            return nil
        }
        if let end = coupon.expiresAt, end <= now {
            errors.append(FieldError(code: "couponCodeExpired", field: nil, message: "This code has expired."))
            return nil
        }
        return coupon
    }

    private func shippingMethod(_ identifier: String?) throws(CardPaymentsError) -> OrderDefinition.ShippingMethod? {
        guard order.goods == .delivered else { return nil }
        guard let identifier else { return order.shippingMethods.first }
        guard let method = order.shippingMethods.first(where: { $0.identifier == identifier }) else {
            throw CardPaymentsError(code: .shippingMethodUnknown, reason: "shippingMethod is none of the order's")
        }
        return method
    }

    private func serviceError(_ contact: Contact?) -> FieldError? {
        guard order.goods == .delivered, !order.serviceableCountries.isEmpty, let code = contact?.countryCode else { return nil }
        guard !order.serviceableCountries.contains(code.uppercased()) else { return nil }
        return FieldError(code: "shippingAddressUnserviceable", field: "country", message: "We do not deliver to this country.")
    }

    /// What must be known before delivered goods are paid for.
    private func contactError(_ contact: Contact?) -> FieldError? {
        guard order.goods == .delivered else { return nil }
        guard let contact, contact.countryCode != nil else {
            return FieldError(code: "shippingContactInvalid", field: "postalAddress", message: "A delivery address is needed.")
        }
        return nil
    }
}
