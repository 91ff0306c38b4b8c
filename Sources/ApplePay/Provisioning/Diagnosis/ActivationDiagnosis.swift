import BillfoldDiagnosis
import Foundation
import PaymentCrypto

/// Activation data as the network checks it: green was expected and yellow came (row 22).
struct ActivationDiagnosis {
    let file: ProvisioningCase
    let cipher: (any ZoneKeyCipher)?

    func examine(into diagnosis: inout Diagnosis) {
        for request in file.requests {
            guard let text = request.value["activationData"]?.string, !text.isEmpty else { continue }
            guard var data = try? StrictBase64.decode(text) else {
                diagnosis.report(
                    "member-unreadable", in: request.name, "A member of the request is no base64.",
                    ["member": "activationData", "letters": String(text.utf8.count)],
                    mend: "Use the standard alphabet with padding, and let nothing break the lines.")
                continue
            }
            if let letters = String(validating: data, as: UTF8.self), let inner = try? StrictBase64.decode(letters),
                inner.starts(with: Array("MBPA".utf8)) || inner.first == UInt8(ascii: "{")
            {
                EnvelopeDiagnosis.reportText("activationData", "base64", data.count, inner.count, request.name, into: &diagnosis)
                data = inner
            }
            if data.first == UInt8(ascii: "{") {
                examineMastercard(data, request.name, into: &diagnosis)
            } else {
                examineVisa(String(decoding: data, as: UTF8.self), request.name, into: &diagnosis)
            }
        }
    }

    private func examineVisa(_ text: String, _ name: String, into diagnosis: inout Diagnosis) {
        guard let clear = VisaTextReading(file: file, cipher: cipher).read(text, due: .activation, name, into: &diagnosis) else { return }
        let block: VisaActivationBlock
        do throws(ApplePayError) {
            block = try VisaActivationBlock(clearText: clear)
        } catch {
            VisaTextReading.reportBlock(error, name, into: &diagnosis)
            return
        }
        // The payload's nonce is what the network compares with; a stale payload is a finding of its own.
        let payload = file.payloads.compactMap { $0.value.object["nonce"]?.string }.compactMap { try? Hexadecimal.decode($0) }
        let callback = file.callbacks.compactMap { callback in
            ChallengeText(callback.value["nonce"]?.string ?? "", encoding: callback.value["encoding"]?.string, due: 4).bytes
        }
        let nonces = (payload.isEmpty ? callback : payload).filter { $0.count == 4 }
        guard !nonces.isEmpty, !(nonces + callback).contains(where: block.names) else { return }
        diagnosis.report(
            "activation-nonce", in: name, "The activation data was made for another nonce.",
            ["activation data": block.nonceText, "payload": nonces.map { Hexadecimal.encode($0) }.joined(separator: ", ")],
            mend: "Make activation data from the nonce of the same callback, as hexadecimal digits.")
    }

    private func examineMastercard(_ data: [UInt8], _ name: String, into diagnosis: inout Diagnosis) {
        let value: TokenizationAuthenticationValue
        do throws(ApplePayError) {
            value = try TokenizationAuthenticationValue(json: data)
        } catch {
            diagnosis.report(
                "activation-form", in: name, "The authentication value has not its form.",
                ["rule": error.code.description, "reason": error.reason], mend: "Write the members of its version, and no others.")
            return
        }
        if let instant = file.instant {
            do throws(ApplePayError) {
                try value.form.checkDates(at: instant)
            } catch {
                diagnosis.report(
                    error.code == .authenticationValueExpired ? "activation-expired" : "activation-dates", in: name,
                    "The authentication value does not hold now.",
                    [
                        "rule": error.code.description, "dataValidUntilTimestamp": value.form.dated?.validUntil.text ?? "none",
                        "now": instant.formatted(.iso8601),
                    ],
                    mend: "Sign it for the request with a timestamp about 30 minutes ahead, by a clock that is right.")
            }
        }
        guard !file.signers.isEmpty, let card = card() else { return }
        guard !file.signers.contains(where: { isSigned(value.form, value, card, $0.value) }) else { return }
        if let (fields, validUntil) = value.form.dated, let order = signedOrder(fields, validUntil, value, card) {
            diagnosis.report(
                "activation-field-order", in: name, "The fields were signed in another order than the value says.",
                [
                    "includedFieldsInOrder": fields.map(\.rawValue).joined(separator: "|"),
                    "signed": order.map(\.rawValue).joined(separator: "|"),
                ],
                mend: "Sign the values in the order that includedFieldsInOrder names.")
            return
        }
        diagnosis.report(
            "activation-signature", in: name, "The authentication value is not signed by the issuer's key for this card.",
            ["version": value.form.version, "keys tried": file.signers.map(\.name).joined(separator: ", ")],
            mend: "Sign card number, expiry as MMYY and timestamp with the key that the network holds.")
    }

    private func card() -> TokenizationAuthenticationValue.Card? {
        for payload in file.payloads {
            guard let number = payload.value.object["primaryAccountNumber"]?.string.flatMap({ try? CardNumber($0.filter(\.isNumber)) })
            else {
                continue
            }
            let expiration = payload.value.object["expiration"]?.string.flatMap { text in
                (try? CardExpiration(slashed: text)) ?? (try? CardExpiration(compact: text))
            }
            return .init(accountNumber: number, expiration: expiration)
        }
        return nil
    }

    private func isSigned(
        _ form: TokenizationAuthenticationValue.Form, _ value: TokenizationAuthenticationValue,
        _ card: TokenizationAuthenticationValue.Card, _ key: PublicKey
    ) -> Bool {
        guard let text = try? form.signedText(card) else { return false }
        return key.isValidSignature(value.signature, over: text, algorithm: .rsaPKCS1SHA256)
    }

    private func signedOrder(
        _ fields: [TokenizationAuthenticationValue.Field], _ validUntil: AuthenticationValueTimestamp,
        _ value: TokenizationAuthenticationValue, _ card: TokenizationAuthenticationValue.Card
    ) -> [TokenizationAuthenticationValue.Field]? {
        let all = TokenizationAuthenticationValue.Field.allCases
        let orders = all.flatMap { a in
            all.filter { $0 != a }.flatMap { b in [[a, b]] + all.filter { $0 != a && $0 != b }.map { [a, b, $0] } }
        }
        return orders.first { order in
            order != fields
                && file.signers.contains { isSigned(.version3(fields: order, validUntil: validUntil), value, card, $0.value) }
        }
    }
}
