import Foundation
import PassKitSimulator

/// The wallet's broker as a phone reaches it: the sandbox's, over HTTP.
struct SandboxBroker: ProvisioningBroker {
    private struct Certificates: Decodable {
        var certificates: [String]
        var nonce: String
        var nonceSignature: String
        var publicKeyHash: String
    }

    private struct Accepted: Decodable {
        var cardId: String
        var termsURL: String
    }

    private struct Enabled: Decodable { var pass: WalletPass }
    private struct Passes: Decodable { var passes: [WalletPass] }
    private struct Activation: Decodable { var activationState: PKSecureElementPass.PassActivationState }

    private struct Refusal: Decodable {
        var code: Int?
        var message: String
    }

    let base: URL

    func challenge(for device: BrokerDevice, scheme: PKEncryptionScheme) async throws -> BrokerChallenge {
        let account = device.appleAccount.replacingOccurrences(of: "@", with: "%40")
        let told: Certificates = try await ask(
            "GET", device, "issuerProvisioningCertificates?encryptionVersion=\(scheme.rawValue)&appleAccount=\(account)")
        return BrokerChallenge(
            certificates: told.certificates.compactMap { Data(base64Encoded: $0) }, nonce: bytes(told.nonce),
            nonceSignature: bytes(told.nonceSignature), publicKeyHash: bytes(told.publicKeyHash))
    }

    func add(_ card: CardSubmission, to device: BrokerDevice) async throws -> AcceptedCard {
        var body: [String: Any] = [
            "encryptedPassData": card.encryptedPassData.base64EncodedString(), "publicKeyHash": hex(card.publicKeyHash),
            "encryptionVersion": card.scheme.rawValue, "appleAccount": device.appleAccount, "deviceName": device.name,
            "productType": device.productType, "deviceKind": device.kind.rawValue, "bundleIdentifier": card.app.applicationIdentifier,
        ]
        body["activationData"] = card.activationData?.base64EncodedString()
        body["ephemeralPublicKey"] = card.ephemeralPublicKey?.base64EncodedString()
        body["wrappedKey"] = card.wrappedKey?.base64EncodedString()
        body["adamID"] = card.app.adamID
        var configuration: [String: String] = [:]
        configuration["cardholderName"] = card.cardholderName
        configuration["primaryAccountSuffix"] = card.primaryAccountSuffix
        configuration["primaryAccountIdentifier"] = card.primaryAccountIdentifier
        configuration["paymentNetwork"] = card.paymentNetwork?.rawValue
        configuration["localizedDescription"] = card.localizedDescription
        body["configuration"] = configuration
        let accepted: Accepted = try await ask("POST", device, "cards", JSONSerialization.data(withJSONObject: body))
        return AcceptedCard(cardID: accepted.cardId, termsURL: accepted.termsURL)
    }

    func enable(card: String, on device: BrokerDevice) async throws -> WalletPass {
        let enabled: Enabled = try await ask("POST", device, "cards/\(card)/enable", Data(#"{"termsAccepted":true}"#.utf8))
        return enabled.pass
    }

    func requestCode(card: String, method: String, on device: BrokerDevice) async throws { throw BrokerError(status: 501) }

    func enterCode(_ code: String, card: String, on device: BrokerDevice) async throws -> PKSecureElementPass.PassActivationState {
        throw BrokerError(status: 501)
    }

    func activate(
        card: String, activationData: Data, on device: BrokerDevice
    ) async throws -> PKSecureElementPass.PassActivationState {
        let body = try JSONEncoder().encode(["activationData": activationData.base64EncodedString()])
        let answer: Activation = try await ask("POST", device, "cards/\(card)/activation", body)
        return answer.activationState
    }

    func passes(on device: BrokerDevice) async throws -> [WalletPass] {
        let told: Passes = try await ask("GET", device, "passes")
        return told.passes
    }

    func remove(card: String, from device: BrokerDevice) async throws {
        _ = try await send("DELETE", device, "cards/\(card)", nil)
    }

    // MARK: HTTP

    private func ask<Answer: Decodable>(_ method: String, _ device: BrokerDevice, _ path: String, _ body: Data? = nil) async throws
        -> Answer
    {
        try JSONDecoder().decode(Answer.self, from: try await send(method, device, path, body))
    }

    private func send(_ method: String, _ device: BrokerDevice, _ path: String, _ body: Data?) async throws -> Data {
        var request = URLRequest(url: URL(string: "/broker/v4/devices/\(device.secureElementID)/\(path)", relativeTo: base)!)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        let (answer, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200...299).contains(status) else {
            let told = try? JSONDecoder().decode(Refusal.self, from: answer)
            throw BrokerError(status: status, code: told?.code, reason: told?.message ?? "")
        }
        return answer
    }

    private func bytes(_ hex: String) -> Data {
        let digits = Array(hex)
        return Data(stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) })
    }

    private func hex(_ data: Data) -> String {
        data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
