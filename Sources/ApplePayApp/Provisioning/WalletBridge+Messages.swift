import Foundation

// The bridge to a web view: one JSON text in, one JSON text out. `Apple/` connects it to WebKit.
extension WalletBridge {
    /// The name under which pages find the native side.
    public nonisolated static let handlerName = "billfoldWallet"

    /// Run it in the page before its own scripts. It defines `window.billfoldWallet` with four functions that take a card's id
    /// and return promises; a refusal has the stable `code`.
    public nonisolated static let script = """
        (() => {
          "use strict";
          const ask = async (call, card) => {
            const channel = window.webkit?.messageHandlers?.\(handlerName);
            const answer = channel
              ? JSON.parse(await channel.postMessage(JSON.stringify({ call, card })))
              : { error: { code: "no-wallet", message: "This page is not shown by the bank's app." } };
            if (answer.error) throw Object.assign(new Error(answer.error.message), { code: answer.error.code });
            return answer.result;
          };
          window.\(handlerName) = Object.freeze({
            showButton: (card) => ask("showButton", card),
            containsCard: (card) => ask("containsCard", card),
            activationState: (card) => ask("activationState", card),
            addCard: (card) => ask("addCard", card),
          });
        })();
        """

    /// Answers one message of a page: `{"call":…,"card":…}` in, `{"result":…}` or `{"error":{"code","message"}}` out.
    public func answer(_ message: String) async -> String {
        do throws(ApplePayAppError) {
            guard let call = try? JSONDecoder().decode(Message.self, from: Data(message.utf8)) else {
                throw ApplePayAppError(code: .messageMalformed, reason: "a call and a card's id are expected")
            }
            return try await Self.text(Result(result: result(of: call)))
        } catch {
            let failure = Failure(error: .init(code: error.serverCode ?? error.code.description, message: error.reason))
            // The failure is made of two strings, which JSON can always hold.
            return (try? Self.text(failure)) ?? #"{"error":{"code":"message-malformed","message":""}}"#
        }
    }

    private struct Message: Decodable {
        enum Call: String, Decodable { case showButton, containsCard, activationState, addCard }
        var call: Call
        var card: String
    }

    private struct Result: Encodable { var result: Value }

    private struct Failure: Encodable {
        struct Detail: Encodable {
            var code: String
            var message: String
        }
        var error: Detail
    }

    private enum Value: Encodable {
        case button(state: Int, devices: [PassHolder])
        case contains(Bool)
        case activations([String: Int])
        case outcome(String, text: String, device: PassHolder?, activation: Int?, code: String?)

        private enum CodingKeys: String, CodingKey { case state, devices, outcome, text, device, activation, code }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .contains(let isHeld):
                var single = encoder.singleValueContainer()
                try single.encode(isHeld)
            case .activations(let states):
                var single = encoder.singleValueContainer()
                try single.encode(states)
            case .button(let state, let devices):
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(state, forKey: .state)
                try values.encode(devices, forKey: .devices)
            case .outcome(let outcome, let text, let device, let activation, let code):
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(outcome, forKey: .outcome)
                try values.encode(text, forKey: .text)
                try values.encodeIfPresent(device, forKey: .device)
                try values.encodeIfPresent(activation, forKey: .activation)
                try values.encodeIfPresent(code, forKey: .code)
            }
        }
    }

    private func result(of message: Message) async throws(ApplePayAppError) -> Value {
        switch message.call {
        case .showButton:
            let eligibility = try await eligibility(card: message.card)
            let devices: [PassHolder] = if case .addable(let devices) = eligibility { devices } else { [] }
            return .button(state: eligibility.documentedState.rawValue, devices: devices)
        case .containsCard: return .contains(try await containsCard(message.card))
        case .activationState:
            let states = try await activationState(card: message.card)
            return .activations(Dictionary(uniqueKeysWithValues: states.map { ($0.key.rawValue, $0.value.rawValue) }))
        case .addCard:
            let outcome = await addCard(message.card)
            let text = outcome.customerText(in: language)
            switch outcome {
            case .added(let pass):
                return .outcome("added", text: text, device: pass.device, activation: pass.activation.rawValue, code: nil)
            case .pendingActivation(let pass):
                return .outcome("pendingActivation", text: text, device: pass.device, activation: pass.activation.rawValue, code: nil)
            case .cancelled: return .outcome("cancelled", text: text, device: nil, activation: nil, code: nil)
            case .unknown(let error):
                return .outcome("unknown", text: text, device: nil, activation: nil, code: error.code.description)
            case .failed(let error):
                let code = error.serverCode ?? error.code.description
                return .outcome("failed", text: text, device: nil, activation: nil, code: code)
            }
        }
    }

    private static func text(_ value: some Encodable) throws(ApplePayAppError) -> String {
        String(decoding: try HTTPExchange.body(value), as: UTF8.self)
    }
}
