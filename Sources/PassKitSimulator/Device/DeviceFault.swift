/// Something an app did that goes wrong on a device, recorded so that a test or a page can show it.
public struct DeviceFault: Sendable, Hashable, Codable {
    /// A stable code.
    public struct Code: RawRepresentable, Sendable, Hashable, Codable, ExpressibleByStringLiteral {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public init(stringLiteral value: String) { rawValue = value }

        /// The request breaks a ``RequestRule``: no sheet is presented.
        public static let requestRefused: Self = "request-refused"
        /// A sheet is presented already, or was dismissed in the same instant.
        public static let presentedOverAnother: Self = "presented-over-another"
        /// A callback was not answered in time: the sheet froze and then failed.
        public static let unanswered: Self = "callback-unanswered"
        /// A handler was called a second time.
        public static let answeredTwice: Self = "callback-answered-twice"
        /// A handler was called after the sheet had given up waiting.
        public static let answeredLate: Self = "callback-answered-late"
        /// An error outside PassKit's domain: the app crashes on a device.
        public static let foreignError: Self = "error-outside-passkit-domain"
        /// A field was blamed that cannot be shown before authorisation.
        public static let fieldNotShown: Self = "error-field-not-shown-yet"
        /// An update carried no items: the sheet shows a zero total.
        public static let emptyItems: Self = "items-empty"
        /// The total is not the sum of the other items.
        public static let totalDiffers: Self = "total-differs-from-sum"
        /// A UnionPay card was authorised without the `emv` capability: no payment comes back.
        public static let emvMissing: Self = "emv-missing"
        /// The wallet refused to make a token.
        public static let tokenRefused: Self = "token-refused"
        /// The add-pass controller breaks an ``AddPassRule``: it is nil.
        public static let addPassRefused: Self = "add-pass-refused"
        /// A field of the add-pass request is missing: nothing is posted.
        public static let addRequestIncomplete: Self = "add-request-incomplete"
        /// The add-pass request has no activation data. A warning: the customer will be asked for a proof.
        public static let activationDataMissing: Self = "activation-data-missing"
        /// Wallet does not list the app: a ``WalletExtensionRule`` is broken.
        public static let extensionNotListed: Self = "extension-not-listed"
        /// Wallet leaves out an entry of an extension: a ``WalletEntryRule`` is broken.
        public static let extensionEntryRefused: Self = "extension-entry-refused"
        /// An extension's override called `super`.
        public static let extensionCalledSuper: Self = "extension-called-super"
        /// An extension asks for authentication and the app has no extension that does it.
        public static let authorizationMissing: Self = "extension-authorization-missing"
        /// The broker refused; the app learns almost nothing of it.
        public static let brokerRefused: Self = "broker-refused"
        /// The broker did not answer.
        public static let brokerUnanswered: Self = "broker-unanswered"
    }

    public var code: Code
    public var reason: String
}
