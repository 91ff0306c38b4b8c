public import BillfoldDiagnosis

/// Only the five contact fields exist (apple-pay.md#contact-fields).
public struct ContactFieldsRule: RequestRule {
    public static let codes = ["apple-pay.request.contact-field-unknown"]

    public func findings(in request: PaymentRequest, subject: String) -> [Finding] {
        let fields = [
            ("requiredShippingContactFields", request.requiredShippingContactFields),
            ("requiredBillingContactFields", request.requiredBillingContactFields),
        ]
        return fields.flatMap { name, fields in
            fields.subtracting(ContactField.known).sorted { $0.rawValue < $1.rawValue }.map { field in
                Finding(
                    code: Self.codes[0], subject: subject, cause: "A required contact field is unknown.",
                    evidence: [.init(name, field.rawValue)],
                    mend: "Use postalAddress, name, phoneticName, phoneNumber or emailAddress.")
            }
        }
    }
}
