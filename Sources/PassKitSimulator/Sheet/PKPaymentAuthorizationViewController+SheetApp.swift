// How the sheet's core reaches the delegate, in the newest form that it implements.
extension PKPaymentAuthorizationViewController: SheetApp {
    var hasDelegate: Bool { delegate != nil }

    func willAuthorize() { delegate?.paymentAuthorizationViewControllerWillAuthorizePayment(self) }

    func didFinish() { delegate?.paymentAuthorizationViewControllerDidFinish(self) }

    func didAuthorize(_ payment: PKPayment) -> SheetQuestion<PKPaymentAuthorizationResult> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(self, didAuthorizePayment: payment, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationViewController(self, didAuthorizePayment: payment)
            },
            older: olderForm(else: .unimplemented) { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(
                    self, didAuthorizePayment: payment, completion: { answer(PKPaymentAuthorizationResult(status: $0, errors: nil)) })
            })
    }

    func didSelect(_ paymentMethod: PKPaymentMethod) -> SheetQuestion<PKPaymentRequestPaymentMethodUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(self, didSelect: paymentMethod, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationViewController(self, didSelect: paymentMethod)
            },
            older: olderForm(else: .unimplemented) { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(
                    self, didSelect: paymentMethod, completion: { answer(PKPaymentRequestPaymentMethodUpdate(paymentSummaryItems: $0)) })
            })
    }

    func didSelect(_ contact: PKContact) -> SheetQuestion<PKPaymentRequestShippingContactUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(self, didSelectShippingContact: contact, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationViewController(self, didSelectShippingContact: contact)
            },
            older: olderForm(else: .unimplemented) { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(
                    self, didSelectShippingContact: contact,
                    completion: { answer(PKPaymentRequestShippingContactUpdate(status: $0, paymentSummaryItems: $2, shippingMethods: $1)) })
            })
    }

    func didSelect(_ shippingMethod: PKShippingMethod) -> SheetQuestion<PKPaymentRequestShippingMethodUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(self, didSelect: shippingMethod, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationViewController(self, didSelect: shippingMethod)
            },
            older: olderForm(else: .unimplemented) {
                [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(
                    self, didSelect: shippingMethod,
                    completion: { answer(PKPaymentRequestShippingMethodUpdate(status: $0, paymentSummaryItems: $1)) })
            })
    }

    func didChangeCouponCode(_ couponCode: String) -> SheetQuestion<PKPaymentRequestCouponCodeUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(self, didChangeCouponCode: couponCode, handler: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationViewController(self, didChangeCouponCode: couponCode)
            })
    }

    func didRequestMerchantSession() -> SheetQuestion<PKPaymentRequestMerchantSessionUpdate> {
        SheetQuestion(
            handler: { [weak self] answer in
                guard let self else { return }
                delegate?.paymentAuthorizationViewController(self, didRequestMerchantSessionUpdate: answer)
            },
            concurrent: { [weak self] in
                guard let self, let delegate else { return .unimplemented }
                return await delegate.paymentAuthorizationViewControllerDidRequestMerchantSessionUpdate(self)
            })
    }
}
