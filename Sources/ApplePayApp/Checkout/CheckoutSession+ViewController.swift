// A watch has no view controllers.
#if !os(watchOS)
    import Foundation

    #if canImport(PassKit) && canImport(UIKit)
        public import PassKit

        extension CheckoutSession: @preconcurrency PKPaymentAuthorizationViewControllerDelegate {}
    #else
        public import PassKitSimulator

        extension CheckoutSession: PKPaymentAuthorizationViewControllerDelegate {}
    #endif

    extension CheckoutSession {
        /// As ``start()``, by the view controller, which the app shows itself: `{ screen.present($0, animated: true) }`. The session takes it
        /// away again. Something else may take it away before: what was not sent is then cancelled, and what was is asked for.
        ///
        /// `present` shows the controller before it returns: what is not on the screen by then is ``CheckoutOutcome/notPresented``, and the session
        /// hears nothing of it any more. So is what the system takes away at once, as where another payment sheet is on the screen.
        public func start(
            present: @MainActor (PKPaymentAuthorizationViewController) -> Void
        ) async throws(ApplePayAppError) -> CheckoutOutcome {
            let request = try PKPaymentRequest.request(for: order)
            guard let controller = PKPaymentAuthorizationViewController(paymentRequest: request) else { return .notPresented }
            controller.delegate = self
            takeAway = { [weak controller] in controller?.dismiss(animated: true, completion: nil) }
            present(controller)
            guard attempt != nil || (!isFinished && controller.presentingViewController != nil) else {
                // The app may still show it later: nobody asks the customer for a payment whose outcome was told.
                controller.delegate = nil
                takeAway = nil
                return .notPresented
            }
            onPresent?()
            let watching = watch(controller)
            defer { watching.cancel() }
            return await outcome()
        }

        /// Ends the sheet when its screen is away and stays away: between two looks the system has time for its last call.
        private func watch(_ controller: PKPaymentAuthorizationViewController) -> Task<Void, Never> {
            Task { [weak self, weak controller, configuration] in
                var wasAway = false
                while true {
                    do { try await configuration.wait(configuration.presencePause) } catch { return }
                    guard let self, !isFinished else { return }
                    let isAway = controller?.presentingViewController == nil
                    if isAway, wasAway { return finish() }
                    wasAway = isAway
                }
            }
        }

        public func paymentAuthorizationViewController(
            _ controller: PKPaymentAuthorizationViewController, didSelect paymentMethod: PKPaymentMethod,
            handler completion: @escaping (PKPaymentRequestPaymentMethodUpdate) -> Void
        ) {
            choose(paymentMethod, answering: completion)
        }

        public func paymentAuthorizationViewController(
            _ controller: PKPaymentAuthorizationViewController, didSelectShippingContact contact: PKContact,
            handler completion: @escaping (PKPaymentRequestShippingContactUpdate) -> Void
        ) {
            choose(contact, answering: completion)
        }

        public func paymentAuthorizationViewController(
            _ controller: PKPaymentAuthorizationViewController, didSelect shippingMethod: PKShippingMethod,
            handler completion: @escaping (PKPaymentRequestShippingMethodUpdate) -> Void
        ) {
            choose(shippingMethod, answering: completion)
        }

        public func paymentAuthorizationViewController(
            _ controller: PKPaymentAuthorizationViewController, didChangeCouponCode couponCode: String,
            handler completion: @escaping (PKPaymentRequestCouponCodeUpdate) -> Void
        ) {
            enter(couponCode, answering: completion)
        }

        public func paymentAuthorizationViewController(
            _ controller: PKPaymentAuthorizationViewController, didAuthorizePayment payment: PKPayment,
            handler completion: @escaping (PKPaymentAuthorizationResult) -> Void
        ) {
            pay(payment, answer("didAuthorizePayment", completion))
        }

        public func paymentAuthorizationViewControllerDidFinish(_ controller: PKPaymentAuthorizationViewController) { finish() }
    }
#endif
