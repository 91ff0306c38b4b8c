import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto

/// Activation data as the network checks it: green was expected and yellow came (provisioning.md#failures, row 22).
struct ActivationDiagnosis {
    let file: ProvisioningCase
    let cipher: (any ZoneKeyCipher)?

    func examine(into diagnosis: inout Diagnosis) {
        for holder in file.requests + file.activations {
            guard let text = holder.value["activationData"]?.string, !text.isEmpty else { continue }
            guard
                var data = CarriedBytes.decode(text)
                    ?? EnvelopeDiagnosis.reportUnreadable("activationData", text: text, in: holder.name, into: &diagnosis)
            else { continue }
            // In hexadecimal beside a payload in base64 it was not decoded on its way.
            let beside = holder.value["encryptedPassData"]?.string
            if CarriedBytes.isHexadecimal(text), let beside, !CarriedBytes.isHexadecimal(beside) {
                EnvelopeDiagnosis.reportText(
                    "activationData", alphabet: "hexadecimal", letters: text.utf8.count, bytes: data.count, in: holder.name,
                    into: &diagnosis)
            } else if let letters = String(utf8: data), let inner = CarriedBytes.decode(letters),
                inner.starts(with: Array("MBPA".utf8)) || inner.first == UInt8(ascii: "{")
            {
                let alphabet = CarriedBytes.isHexadecimal(letters) ? "hexadecimal" : "base64"
                EnvelopeDiagnosis.reportText(
                    "activationData", alphabet: alphabet, letters: data.count, bytes: inner.count, in: holder.name, into: &diagnosis)
                data = inner
            }
            if reportOtherNetwork(data, in: holder.name, into: &diagnosis) { continue }
            if data.first == UInt8(ascii: "{") {
                examineMastercard(data, holder.name, into: &diagnosis)
            } else {
                examineVisa(String(decoding: data, as: UTF8.self), holder.name, into: &diagnosis)
            }
        }
    }

    /// Visa takes a sealed text, Mastercard a signed value in JSON: the one in the other's place is nothing to the network.
    private func reportOtherNetwork(_ data: [UInt8], in name: String, into diagnosis: inout Diagnosis) -> Bool {
        let found: DistinctNetwork
        if data.first == UInt8(ascii: "{") {
            found = .mastercard
        } else if data.starts(with: Array("MBPA".utf8)) {
            found = .visa
        } else {
            return false
        }
        guard let network, network != found, network == .visa || network == .mastercard else { return false }
        diagnosis.report(
            "activation-network", in: name, cause: "The activation data is of another network's form than the card.",
            evidence: [
                "card": network.passKitName,
                "activation data": found == .visa ? "a sealed text of Visa's" : "a signed value of Mastercard's",
            ],
            mend: "Choose the maker of activation data by the card's network.")
        return true
    }

    /// The card's, where configuration or payloads say so and agree.
    private var network: DistinctNetwork? {
        let configured = file.configurations.compactMap { $0.value["paymentNetwork"]?.string.flatMap(DistinctNetwork.init(spelled:)) }
        let paid = file.payloads.compactMap { payload -> DistinctNetwork? in
            payload.value.object["networkName"]?.string.flatMap(DistinctNetwork.init(spelled:))
                ?? PayloadForm.clearDigits(payload.value.object).flatMap(DistinctNetwork.init(digits:))
        }
        let all = Set(configured + paid)
        return all.count == 1 ? all.first : nil
    }

    private func examineVisa(_ text: String, _ name: String, into diagnosis: inout Diagnosis) {
        guard let clear = VisaTextReading(file: file, cipher: cipher).read(text, due: .activation, name, into: &diagnosis) else { return }
        // The code is of the issuer's choosing, its letters and its length too: only that there is one is asked here.
        let parts = String(decoding: clear.reveal(), as: UTF8.self).split(separator: ";", omittingEmptySubsequences: false)
        func value(_ key: String) -> Substring? { parts.first { $0.hasPrefix(key + "=") }?.dropFirst(key.count + 1) }
        guard let nonceText = value("nonce"), !nonceText.isEmpty, nonceText.allSatisfy(\.isHexDigit), value("authcode")?.isEmpty == false
        else {
            VisaTextReading.reportBlock(
                ApplePayError(code: .visaClearText, reason: "nonce in hexadecimal and authcode are due"), name, into: &diagnosis)
            return
        }
        // The payload's nonce is what the network compares with; a stale payload is a finding of its own.
        let payload = file.payloads.compactMap { $0.value.object["nonce"]?.string }.compactMap { try? Hexadecimal.decode($0) }
        let callback = file.callbacks.compactMap { callback in
            ChallengeText(callback.value["nonce"]?.string ?? "", encoding: callback.value["encoding"]?.string, due: 4).bytes
        }
        let nonces = (payload.isEmpty ? callback : payload).filter { $0.count == 4 }
        let known = nonces + callback
        guard !nonces.isEmpty, !known.contains(where: { Hexadecimal.encode($0) == nonceText.lowercased() }) else { return }
        let isTwice = known.contains { Hexadecimal.encode(Array(Hexadecimal.encode($0).utf8)) == nonceText.lowercased() }
        // A longer text was seen in samples (provisioning.md#visa-block), and what it holds is not published.
        guard isTwice || nonceText.utf8.count == 8 else {
            return Finding.reportUnknownForm(
                "activationData", words: "a nonce of \(nonceText.utf8.count) digits", in: name, into: &diagnosis)
        }
        diagnosis.report(
            "activation-nonce", in: name,
            cause: isTwice
                ? "The activation data holds the nonce's digits in hexadecimal again." : "The activation data was made for another nonce.",
            evidence: ["activation data": String(nonceText), "payload": nonces.map { Hexadecimal.encode($0) }.joined(separator: ", ")],
            mend: "Make activation data from the nonce of the same callback, as hexadecimal digits.")
    }

    private static let members: Set = [
        "version", "expirationDateIncluded", "tokenUniqueReferenceIncluded", "signatureAlgorithm", "signature", "dataValidUntilTimestamp",
        "includedFieldsInOrder", "keyAlias",
    ]

    /// Why the value is of no published version; nil when it is of one (provisioning.md#authentication-value).
    private static func unpublished(_ object: JSONObject) -> String? {
        if let other = object.members(besides: members).first { return "member \(other.key.prefix(40))" }
        guard let version = object["version"]?.string, ["2", "3", "4"].contains(version) else {
            return "version \(object["version"]?.string.map { String($0.prefix(8)) } ?? "without a text")"
        }
        if let algorithm = object["signatureAlgorithm"]?.string, algorithm != TokenizationAuthenticationValue.algorithmName {
            return "signature algorithm \(algorithm.prefix(40))"
        }
        let fields = object["includedFieldsInOrder"]?.string?.split(separator: "|") ?? []
        return fields.first { TokenizationAuthenticationValue.Field(rawValue: String($0)) == nil }.map { "field \($0.prefix(40))" }
    }

    private func examineMastercard(_ data: [UInt8], _ name: String, into diagnosis: inout Diagnosis) {
        let value: TokenizationAuthenticationValue
        do throws(ApplePayError) {
            if let words = Self.unpublished(try ApplePayJSON.readObject(data, maximumBytes: 16_384)) {
                return Finding.reportUnknownForm("activationData", words: words, in: name, into: &diagnosis)
            }
            value = try TokenizationAuthenticationValue(json: data)
        } catch {
            diagnosis.report(
                "activation-form", in: name, cause: "The authentication value has not its form.",
                evidence: ["rule": error.code.description, "reason": error.reason], mend: "Write the members of its version, and no others."
            )
            return
        }
        if let instant = file.attemptInstant {
            do throws(ApplePayError) {
                try value.form.checkDates(at: instant)
            } catch {
                diagnosis.report(
                    error.code == .authenticationValueExpired ? "activation-expired" : "activation-dates", in: name,
                    cause: "The authentication value does not hold at the time that it is judged at.",
                    evidence: [
                        "rule": error.code.description, "dataValidUntilTimestamp": value.form.dated?.validUntil.text ?? "none",
                        "judged at": instant.formatted(.iso8601),
                    ],
                    mend: "Sign it for the request with a timestamp about 30 minutes ahead, by a clock that is right. "
                        + "An earlier attempt is judged at its own time.")
            }
        }
        judgeSignature(value, name, into: &diagnosis)
    }

    private func judgeSignature(_ value: TokenizationAuthenticationValue, _ name: String, into diagnosis: inout Diagnosis) {
        let cards = cards()
        let keys = file.signers.map(\.value) + file.rsaKeys.map(\.value.publicKey)
        guard !cards.contains(where: { card in keys.contains { isSigned(value.form, of: value, for: card, by: $0) } }) else { return }
        if file.signers.isEmpty {
            diagnosis.note(
                "not-opened", in: name, "the activation data's signature was not judged: there is no key that it is made with",
                unjudged: .init(
                    "the activation data's signature",
                    need: "the public key that the network holds of the bank, as PEM or in its certificate, and the payload in clear"))
        }
        // A key that signs, a card in clear, and all that the form covers: without one of them nothing is known.
        guard !file.signers.isEmpty, cards.contains(where: { (try? value.form.signedText($0)) != nil }), !value.form.coversReference else {
            return
        }
        for card in cards {
            guard let (fields, validUntil) = value.form.dated,
                let order = signedOrder(insteadOf: fields, validUntil: validUntil, of: value, for: card)
            else { continue }
            diagnosis.report(
                "activation-field-order", in: name, cause: "The fields were signed in another order than the value says.",
                evidence: [
                    "includedFieldsInOrder": fields.map(\.rawValue).joined(separator: "|"),
                    "signed": order.map(\.rawValue).joined(separator: "|"),
                ],
                mend: "Sign the values in the order that includedFieldsInOrder names.")
            return
        }
        let text = cards.lazy.compactMap { misspelled(value, $0) }.first
        diagnosis.report(
            "activation-signature", in: name,
            cause: text.map { "The authentication value was signed over another text: \($0)." }
                ?? "The authentication value is signed by none of the keys at hand for this card.",
            evidence: [
                "version": value.form.version, "keys tried": file.signers.map(\.name).joined(separator: ", "),
                "signed text": text ?? "no known one",
            ],
            mend: "Sign card number, expiry as MMYY and timestamp with the key that the network holds.")
    }

    /// Every card in clear, by itself and with each token reference that a pass may have (provisioning.md#identifiers).
    private func cards() -> [TokenizationAuthenticationValue.Card] {
        let passes = file.libraries.flatMap {
            ($0.value["passes"]?.array ?? []) + ($0.value["remotePasses"]?.array ?? []) + [$0.value["addedPass"]].compactMap { $0 }
        }
        let references = [nil] + passes.compactMap { $0.object?["deviceAccountIdentifier"]?.string }
        return file.payloads.flatMap { payload -> [TokenizationAuthenticationValue.Card] in
            guard payload.value.object["primaryAccountNumber"] != nil,
                let number = PayloadForm.clearDigits(payload.value.object).flatMap({ try? CardNumber($0) })
            else { return [] }
            let expiration = payload.value.object["expiration"]?.string.flatMap { text in
                (try? CardExpiration(slashed: text)) ?? (try? CardExpiration(compact: text))
            }
            return references.map { .init(accountNumber: number, expiration: expiration, tokenUniqueReference: $0) }
        }
    }

    private func isSigned(
        _ form: TokenizationAuthenticationValue.Form, of value: TokenizationAuthenticationValue,
        for card: TokenizationAuthenticationValue.Card, by key: PublicKey
    ) -> Bool {
        guard let text = try? form.signedText(card) else { return false }
        return key.isValidSignature(value.signature, over: text, algorithm: .rsaPKCS1SHA256)
    }

    /// How the signed text was put together otherwise, by the variants that are likely; nil when none fits.
    private func misspelled(_ value: TokenizationAuthenticationValue, _ card: TokenizationAuthenticationValue.Card) -> String? {
        guard let (fields, validUntil) = value.form.dated else { return nil }
        let compact = card.expiration?.compact ?? ""
        let expirations = [
            (compact, "the expiry"), (card.expiration?.slashed ?? "", "the expiry as MM/YY"),
            (String(compact.suffix(2) + compact.prefix(2)), "the expiry as YYMM"),
        ]
        for (separator, words) in [("|", "separators as due"), ("", "no separators"), (",", "commas"), (";", "semicolons")] {
            for (expiration, spelling) in expirations {
                var parts: [any ContiguousBytes] = []
                for field in fields {
                    if !parts.isEmpty { parts.append(Array(separator.utf8)) }
                    switch field {
                    case .accountNumber: parts.append(card.accountNumber.digits)
                    case .accountExpiry: parts.append(Array(expiration.utf8))
                    case .dataValidUntilTimestamp: parts.append(Array(validUntil.text.utf8))
                    }
                }
                let text = SecretBytes(joining: parts)
                for key in file.signers where key.value.isValidSignature(value.signature, over: text, algorithm: .rsaPKCS1SHA256) {
                    return "\(spelling), \(words)"
                }
            }
        }
        return nil
    }

    private func signedOrder(
        insteadOf fields: [TokenizationAuthenticationValue.Field], validUntil: AuthenticationValueTimestamp,
        of value: TokenizationAuthenticationValue, for card: TokenizationAuthenticationValue.Card
    ) -> [TokenizationAuthenticationValue.Field]? {
        let all = TokenizationAuthenticationValue.Field.allCases
        let orders = all.flatMap { a in
            all.filter { $0 != a }.flatMap { b in [[a, b]] + all.filter { $0 != a && $0 != b }.map { [a, b, $0] } }
        }
        return orders.first { order in
            order != fields
                && file.signers.contains { isSigned(.version3(fields: order, validUntil: validUntil), of: value, for: card, by: $0.value) }
        }
    }
}

extension TokenizationAuthenticationValue.Form {
    /// Whether a token reference is signed, which the artifacts of an attempt do not surely hold.
    var coversReference: Bool { if case .version2(_, true) = self { true } else { false } }
}
