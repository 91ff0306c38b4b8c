public import Foundation

#if canImport(PassKit) && canImport(UIKit)
    public import PassKit

    // PassKit calls on the main thread; older headers do not say so.
    extension AddPassFlow: @preconcurrency PKAddPaymentPassViewControllerDelegate {}
#else
    public import PassKitSimulator

    extension AddPassFlow: PKAddPaymentPassViewControllerDelegate {}
#endif

/// Adds one card: the issuer's configuration, the system's screen, the sealed card within its limit and once, and the truth
/// about what is in the wallet afterwards.
@MainActor
public final class AddPassFlow: NSObject {
    public let card: IssuerCard
    private let issuer: any IssuerServer
    private let inventory: PassInventory
    private let settings: AddPassSettings
    private let present: @MainActor (PKAddPaymentPassViewController) -> Void
    private let answers = AnswerLog()
    private var scheme = PKEncryptionScheme.ECC_V2
    /// What went wrong on the issuer's side of the last request.
    private var failure: ApplePayAppError?
    private var finished: CheckedContinuation<Void, Never>?
    private var ending: Ending?
    /// Whether the wallet was given the sealed card: from then on, no error proves that nothing was added.
    private var isHandedOver = false

    private enum Ending {
        /// The system's last call.
        case told(PKPaymentPass?, NSError?)
        /// The screen is gone, and the system said nothing.
        case gone
    }

    /// `present` shows the system's screen: `{ screen.present($0, animated: true) }`. The flow takes it away again.
    public init(
        card: IssuerCard, issuer: any IssuerServer, inventory: PassInventory, settings: AddPassSettings = .init(),
        present: @escaping @MainActor (PKAddPaymentPassViewController) -> Void
    ) {
        self.card = card
        self.issuer = issuer
        self.inventory = inventory
        self.settings = settings
        self.present = present
        super.init()
    }

    /// Faults in the answers given so far; empty in a sound app.
    public var answerFaults: [AnswerFault] { answers.faults }

    /// Shows the screen and returns when it is gone, whoever took it away, and the pass, if any, has been looked for. To be called once.
    public func start() async -> AddPassOutcome {
        let before = Set(inventory.everything.map(\.pass.serialNumber))
        let watching: Task<Void, Never>
        do throws(ApplePayAppError) {
            let configuration = try await issuer.configuration(card: card.id).requestConfiguration(for: card)
            scheme = configuration.encryptionScheme
            guard let controller = PKAddPaymentPassViewController(requestConfiguration: configuration, delegate: self) else {
                throw ApplePayAppError(
                    code: .notPresented, reason: "no controller: the entitlement is missing or the device cannot add passes")
            }
            present(controller)
            guard ending != nil || controller.presentingViewController != nil else {
                throw ApplePayAppError(code: .notPresented, reason: "the controller was not put on the screen")
            }
            watching = watch(controller)
        } catch {
            return .failed(error)
        }
        if ending == nil { await withCheckedContinuation { finished = $0 } }
        watching.cancel()
        return await conclude(before: before)
    }

    // MARK: The system's calls

    public func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, generateRequestWithCertificateChain certificates: [Data], nonce: Data,
        nonceSignature: Data, completionHandler handler: @escaping (PKAddPaymentPassRequest) -> Void
    ) {
        failure = nil
        let answer = OneShotAnswer(callback: "generateRequestWithCertificateChain", log: answers, handler: handler)
        // An empty request ends the flow at once; the system has no other way of being told [I].
        answer.limit(to: settings.requestLimit, wait: settings.wait) { [weak self] in
            self?.failure = ApplePayAppError(code: .requestTimedOut, reason: "the issuer's host did not answer in time")
            return PKAddPaymentPassRequest()
        }
        let challenge = PassChallenge(certificates: certificates, nonce: nonce, nonceSignature: nonceSignature)
        Task { await fetch(challenge, answer) }
    }

    public func addPaymentPassViewController(
        _ controller: PKAddPaymentPassViewController, didFinishAdding pass: PKPaymentPass?, error: (any Error)?
    ) {
        switch ending {
        case .told: return answers.record(.calledTwice, "didFinishAdding")
        case .gone: return answers.record(.calledLate, "didFinishAdding")
        case nil: break
        }
        controller.dismiss(animated: true, completion: nil)
        end(.told(pass, error.map { $0 as NSError }))
    }

    private func end(_ ending: Ending) {
        self.ending = ending
        finished?.resume()
        finished = nil
    }

    /// Ends the flow when its screen is away and stays away: between two looks the system has time for its last call.
    private func watch(_ controller: PKAddPaymentPassViewController) -> Task<Void, Never> {
        Task { [weak self, weak controller, settings] in
            var wasAway = false
            while true {
                do { try await settings.wait(settings.presencePause) } catch { return }
                guard let self, ending == nil else { return }
                let isAway = controller?.presentingViewController == nil
                if isAway, wasAway { return end(.gone) }
                wasAway = isAway
            }
        }
    }

    private func fetch(_ challenge: PassChallenge, _ answer: OneShotAnswer<PKAddPaymentPassRequest>) async {
        let sealed = await issuer.sealed(card.id, for: challenge, scheme: scheme, settings: settings) { ending == nil && !answer.isExpired }
        // The screen is gone: nobody waits for the answer any more.
        guard let sealed, ending == nil || answer.isExpired else { return answer.withdraw() }
        switch sealed {
        case .success(let request):
            if answer.fulfilUnlessExpired(request) { isHandedOver = true }
        case .failure(let error):
            if !answer.isExpired { failure = error }
            answer.fulfilUnlessExpired(PKAddPaymentPassRequest())
        }
    }

    // MARK: The truth afterwards

    private func conclude(before: Set<String>) async -> AddPassOutcome {
        guard case .told(let added, let error) = ending else {
            let gone = ApplePayAppError(code: .screenGone, reason: "the add-pass screen was taken away before the wallet had finished")
            guard isHandedOver else { return .failed(gone) }
            return await newPass(before) ?? .unknown(gone)
        }
        if let added { return outcome(of: added, seen: await look(for: { $0.serialNumber == added.serialNumber })) }
        // The codes are those of adding a pass; the pass library uses the same domain and other meanings.
        let code = error.flatMap { $0.domain == PKPassKitErrorDomain ? PKAddPaymentPassError(rawValue: $0.code) : nil }
        if code == .userCancelled { return .cancelled }
        if let failure { return .failed(failure) }
        if code == .unsupported { return .failed(ApplePayAppError(code: .walletUnsupported, reason: "the wallet cannot take the card")) }
        // An error is no proof that nothing was added: the wallet itself is asked.
        if let outcome = await newPass(before) { return outcome }
        let reason = "the wallet reported \(error?.code ?? 0) and shows no new pass"
        // That the wallet's own cancelling is its refusal, and any other error is no word on the card, is inferred.
        if isHandedOver, code != .systemCancelled { return .unknown(ApplePayAppError(code: .walletUnanswered, reason: reason)) }
        return .failed(ApplePayAppError(code: .walletRefused, reason: reason))
    }

    /// The card's pass that was not there before; nil when the library shows none in time.
    private func newPass(_ before: Set<String>) async -> AddPassOutcome? {
        let seen = await look(for: { $0.primaryAccountNumberSuffix == self.card.suffix && !before.contains($0.serialNumber) })
        return seen.map { outcome(of: $0.pass, seen: $0) }
    }

    /// Asks the library a few times: a watch's pass takes a moment to show.
    private func look(
        for isWanted: (PKSecureElementPass) -> Bool
    ) async -> (device: PassHolder, pass: PKSecureElementPass)? {
        for poll in 0...settings.visibilityPolls {
            if poll > 0 {
                do { try await settings.wait(settings.visibilityPause) } catch { return nil }
            }
            if let found = inventory.everything.first(where: { isWanted($0.pass) }) { return found }
        }
        return nil
    }

    private func outcome(
        of added: PKSecureElementPass, seen: (device: PassHolder, pass: PKSecureElementPass)?
    ) -> AddPassOutcome {
        let pass = seen?.pass ?? added
        let device = seen?.device ?? (added.isRemotePass ? .watch : .thisDevice)
        if seen == nil { inventory.rememberHidden(added, on: device) }
        let result = AddedPass(
            device: device, activation: pass.activation, serialNumber: pass.serialNumber,
            primaryAccountIdentifier: pass.primaryAccountIdentifier, deviceAccountIdentifier: pass.deviceAccountIdentifier,
            suffix: pass.primaryAccountNumberSuffix, isVisible: seen != nil)
        return pass.activation == .activated ? .added(result) : .pendingActivation(result)
    }
}
