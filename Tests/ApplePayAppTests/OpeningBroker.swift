import ApplePay
import ApplePayForging
import BillfoldTestSupport
import Foundation
import PassKitSimulator
import PaymentCrypto
import Synchronization

/// A broker with a real certificate chain, which opens the envelope, checks nonce and card, and lets valid activation data decide
/// whether the pass is active at once.
final class OpeningBroker: ProvisioningBroker {
    let authority: ProvisioningAuthority
    private let card: SealedCard
    private let state: Mutex<State>

    private struct State {
        var generator: SeededGenerator
        var passes: [WalletPass] = []
        var refusals: [String] = []
        var outstanding: Set<ProvisioningChallenge> = []
    }

    init(_ card: SealedCard, seed: UInt64 = 31) throws {
        self.card = card
        var generator = SeededGenerator(seed: seed, label: "opening broker")
        authority = try ProvisioningAuthority(at: SealedCard.instant, using: &generator)
        state = Mutex(State(generator: generator))
    }

    /// Why cards were refused, as the broker alone knows.
    var refusals: [String] { state.withLock { $0.refusals } }

    func issue(to device: BrokerDevice) throws -> ProvisioningChallenge {
        try state.withLock { state in
            try authority.challenge(secureElement: device.secureElementID, account: device.appleAccount, using: &state.generator)
        }
    }

    func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) async throws -> BrokerChallenge {
        let challenge = try issue(to: device)
        state.withLock { state in _ = state.outstanding.insert(challenge) }
        return BrokerChallenge(
            certificates: authority.certificates().map { Data($0) }, nonce: Data(challenge.nonce),
            nonceSignature: Data(challenge.nonceSignature), publicKeyHash: Data(authority.leafKey.publicKey.sha256))
    }

    func add(_ submission: CardSubmission, to device: BrokerDevice) async throws -> AcceptedCard {
        let payload: PassData
        do throws(ApplePayError) {
            let opened = try PassDataOpener(key: authority.leafKey).open(
                encryptedPassData: Array(submission.encryptedPassData), ephemeralPublicKey: Array(submission.ephemeralPublicKey ?? Data()))
            payload = try PassData(json: opened)
        } catch {
            throw refuse(error.code.description, BrokerError(status: 500))
        }
        let isExpected = state.withLock { $0.outstanding.remove(payload.challenge) != nil }
        guard isExpected,
            authority.isValid(payload.challenge, secureElement: device.secureElementID, account: device.appleAccount)
        else { throw refuse("nonce-mismatch", BrokerError(status: 500)) }
        guard case .fpan(let data) = payload, data.primaryAccountNumber.passesLuhn,
            data.primaryAccountNumber.suffix == submission.primaryAccountSuffix
        else { throw refuse("card-differs", BrokerError(status: 403, code: 40001, reason: "Invalid Card")) }
        let isProved = await isValid(submission.activationData, for: payload.challenge)
        return state.withLock { state in
            let id = "card-\(state.passes.count + 1)"
            state.passes.append(
                WalletPass(
                    serialNumber: "serial-\(id)", cardID: id, primaryAccountIdentifier: "V-1",
                    primaryAccountNumberSuffix: data.primaryAccountNumber.suffix, deviceAccountIdentifier: "D-\(id)",
                    deviceAccountNumberSuffix: "9876", activationState: isProved ? .activated : .requiresActivation,
                    associatedApplicationIdentifiers: ["TEAM.example.*"]))
            return AcceptedCard(cardID: id, termsURL: "https://bank.example/terms")
        }
    }

    private func isValid(_ activationData: Data?, for challenge: ProvisioningChallenge) async -> Bool {
        guard let activationData, let text = try? VisaWireText(String(decoding: activationData, as: UTF8.self)),
            text.keySet == card.keySet, let block = try? await VisaActivationBlock(opening: text, key: card.zoneKey)
        else { return false }
        return block.names(challenge.nonce)
    }

    private func refuse(_ reason: String, _ error: BrokerError) -> BrokerError {
        state.withLock { $0.refusals.append(reason) }
        return error
    }

    func enable(card: String, on device: BrokerDevice) async throws -> WalletPass {
        let pass = state.withLock { $0.passes.first { $0.cardID == card } }
        guard let pass else { throw BrokerError(status: 500, code: 40456) }
        return pass
    }

    func requestCode(card: String, method: String, on device: BrokerDevice) async throws {}

    func enterCode(_ code: String, card: String, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState {
        throw BrokerError(status: 403, reason: CodeRefusal.missing.rawValue)
    }

    func activate(
        card: String, activationData: Data, on device: BrokerDevice
    ) async throws -> PKSecureElementPass.PassActivationState { throw BrokerError(status: 403) }

    func passes(on device: BrokerDevice) async throws -> [WalletPass] { state.withLock { $0.passes } }

    func remove(card: String, from device: BrokerDevice) async throws {
        state.withLock { $0.passes.removeAll { $0.cardID == card } }
    }
}
