public import BillfoldDiagnosis

/// Before authorisation the contact is redacted, and only the fields that are shown then may be blamed. [D]
public struct BlamedFieldRule: SheetRule {
    public static let codes = ["apple-pay.session.error-field"]
    /// What the app sees of the address while the customer still chooses.
    public static let visibleAtSelection: Set<String> = [
        "postalAddress", "locality", "subLocality", "postalCode", "administrativeArea", "subAdministrativeArea", "country", "countryCode",
        // PassKit's own names for the same parts of a postal address.
        "city", "state", "ISOCountryCode",
    ]

    public func findings(in session: SheetSession, subject: String) -> [Finding] {
        session.events.enumerated().flatMap { index, event -> [Finding] in
            guard event.callback != .didAuthorizePayment else { return [] }
            return event.answers.flatMap(\.errors).compactMap { error in
                guard let field = error.field, !Self.visibleAtSelection.contains(field) else { return nil }
                return Finding(
                    code: Self.codes[0], subject: subject, cause: "An error blames a contact field that is hidden until authorisation.",
                    evidence: [.init("event", SheetSession.name(index, event)), .init("field", field)],
                    mend: "Blame names, phone numbers, e-mail addresses and street lines only in the answer to didAuthorizePayment.")
            }
        }
    }
}
