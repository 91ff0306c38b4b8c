import BillfoldConcurrency
public import Foundation

// Activation on the word of the bank's app (provisioning.md#in-app-verification).
extension PKPassLibrary {
    /// Whether the device can hold passes and the app may act on them: it needs the entitlement.
    public class func isPaymentPassActivationAvailable() -> Bool { SimulatedDevice.current.canActivatePasses }

    /// The same of the library's own device.
    public func isPaymentPassActivationAvailable() -> Bool { device.canActivatePasses }

    /// ``isPaymentPassActivationAvailable()-swift.method`` under the name of iOS 13.4.
    public var isSecureElementPassActivationAvailable: Bool { device.canActivatePasses }

    /// Activates a pass that waits for a proof, on the word of the bank's app.
    ///
    /// - Parameters:
    ///   - secureElementPass: One that waits (`requiresActivation`), here or on the watch in reach.
    ///   - activationData: What the bank's host made, as raw bytes.
    ///   - completion: Is called once, on the main actor. Its errors are ``PKPassKitError``'s: `notEntitledError`; `invalidDataError` for
    ///     another pass, for no data, and where the network refuses; `unknownError` where nobody knows.
    public func activate(
        _ secureElementPass: PKSecureElementPass, activationData: Data, completion: ((Bool, (any Error)?) -> Void)? = nil
    ) {
        let reply = HandedOver(completion)
        let (pass, isRemote) = (secureElementPass.record, secureElementPass.isRemotePass)
        Task { @MainActor [device] in
            do throws(PKPassKitError) {
                try await device.activate(pass, isRemote: isRemote, activationData: activationData)
                reply.value?(true, nil)
            } catch {
                reply.value?(false, error)
            }
        }
    }

    /// As ``activate(_:activationData:completion:)``. The outcome is thrown, or true.
    nonisolated(nonsending) public func activate(_ secureElementPass: PKSecureElementPass, activationData: Data) async throws -> Bool {
        let (pass, isRemote) = (secureElementPass.record, secureElementPass.isRemotePass)
        try await device.activate(pass, isRemote: isRemote, activationData: activationData)
        return true
    }

    /// As ``activate(_:activationData:completion:)``, under the name of systems before iOS 13.4.
    ///
    /// Its header promises the completion an error always: one without a domain comes with success.
    public func activate(
        _ paymentPass: PKPaymentPass, withActivationData activationData: Data, completion: ((Bool, any Error) -> Void)? = nil
    ) {
        activate(paymentPass, activationData: activationData) { isActive, error in completion?(isActive, error ?? NoError()) }
    }

    /// As ``activate(_:withActivationData:completion:)``. Look at the first value before the second.
    nonisolated(nonsending) public func activate(_ paymentPass: PKPaymentPass, withActivationData activationData: Data) async -> (
        Bool, any Error
    ) {
        do {
            return (try await activate(paymentPass, activationData: activationData), NoError())
        } catch {
            return (false, error)
        }
    }

    /// The way of iOS 8: a code that the customer typed into the bank's app. It reaches the network as data.
    public func activate(
        _ paymentPass: PKPaymentPass, withActivationCode activationCode: String, completion: ((Bool, any Error) -> Void)? = nil
    ) {
        activate(paymentPass, withActivationData: Data(activationCode.utf8), completion: completion)
    }

    /// As ``activate(_:withActivationCode:completion:)``. Look at the first value before the second.
    nonisolated(nonsending) public func activate(_ paymentPass: PKPaymentPass, withActivationCode activationCode: String) async -> (
        Bool, any Error
    ) {
        await activate(paymentPass, withActivationData: Data(activationCode.utf8))
    }

    /// What Swift makes of a missing error in a place that has to have one.
    private struct NoError: Error {}
}
