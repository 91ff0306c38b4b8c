// How the sheet's core reaches the delegate, in the newest form that it implements.
extension PKPaymentAuthorizationController: SheetApp {
    var hasDelegate: Bool { delegate != nil }

    func willAuthorize() { delegate?.paymentAuthorizationControllerWillAuthorizePayment(self) }

    func didFinish() { delegate?.paymentAuthorizationControllerDidFinish(self) }

    func didAuthorize(_ payment: PKPayment) -> SheetQuestion<PKPaymentAuthorizationResult> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(self, didAuthorizePayment: payment, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationController(self, didAuthorizePayment: payment)
            },
            older: olderForm(else: .unimplemented) { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(
                    self, didAuthorizePayment: payment, completion: { answer(PKPaymentAuthorizationResult(status: $0, errors: nil)) })
            })
    }

    func didSelect(_ paymentMethod: PKPaymentMethod) -> SheetQuestion<PKPaymentRequestPaymentMethodUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(self, didSelectPaymentMethod: paymentMethod, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationController(self, didSelectPaymentMethod: paymentMethod)
            },
            older: olderForm(else: .unimplemented) { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(
                    self, didSelectPaymentMethod: paymentMethod,
                    completion: { answer(PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: $0)) })
            })
    }

    func didSelect(_ contact: PKContact) -> SheetQuestion<PKPaymentRequestShippingContactUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(self, didSelectShippingContact: contact, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationController(self, didSelectShippingContact: contact)
            },
            older: olderForm(else: .unimplemented) { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(
                    self, didSelectShippingContact: contact,
                    completion: { answer(PKPaymentRequestShippingContactUpdate(status: $0, paymentSummaryItems: $2, shippingMethods: $1)) })
            })
    }

    func didSelect(_ shippingMethod: PKShippingMethod) -> SheetQuestion<PKPaymentRequestShippingMethodUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(self, didSelectShippingMethod: shippingMethod, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationController(self, didSelectShippingMethod: shippingMethod)
            },
            older: olderForm(else: .unimplemented) {
                [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(
                    self, didSelectShippingMethod: shippingMethod,
                    completion: { answer(PKPaymentRequestShippingMethodUpdate(status: $0, paymentSummaryItems: $1)) })
            })
    }

    func didChangeCouponCode(_ couponCode: String) -> SheetQuestion<PKPaymentRequestCouponCodeUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(self, didChangeCouponCode: couponCode, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationController(self, didChangeCouponCode: couponCode)
            })
    }

    func didRequestMerchantSession() -> SheetQuestion<PKPaymentRequestMerchantSessionUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationController(self, didRequestMerchantSessionUpdate: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationControllerDidRequestMerchantSessionUpdate(self)
            })
    }
}
