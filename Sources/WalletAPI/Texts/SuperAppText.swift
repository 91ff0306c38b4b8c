/// What a super app's customers read while a mini program asks for something. A part in braces is filled in.
public enum SuperAppText: String, Sendable, CaseIterable {
    /// Above the lines of a consent page; `{app}` is the mini program.
    case consentTitle
    /// Below the lines of a consent page.
    case consentNote
    case agree
    case refuse
    /// A jump that a mini program asks for; `{app}` is the mini program, `{place}` the host of a page or the scheme of an app.
    case linkTitle
    case open
    case cancel
    case scanTitle
    case scanHint
    case album
    case nothingFound
    /// The wallet says it is paid.
    case paid
    case processing
    /// No money moved.
    case failed
    case cancelled
    /// Nobody knows whether money moved, without a network.
    case noNetwork
    /// Nobody knows whether money moved.
    case unknown
    case signInFirst
    case notAvailable
    /// A scope that has no line of its own; `{scope}` is its name.
    case scopeOther
    case scopeBase
    case scopeProfile
    case scopeUserID
    case scopeLogin
    case scopeHashedLogin
    case scopeNickname
    case scopeName
    case scopePicture
    case scopeGender
    case scopeBirthday
    case scopeNationality
    case scopeContact
    case scopeMessages
    case scopeInbox
    case scopeAutomaticPayment
    case scopeCards

    /// The most characters that a text may have, its parts in braces not counted: what a button or a line of a narrow phone shows.
    public var limit: Int {
        switch self {
        case .agree, .refuse, .open, .cancel, .album: 14
        case .scanTitle: 24
        case .consentTitle, .linkTitle: 48
        case .consentNote, .scanHint, .nothingFound, .signInFirst, .notAvailable: 72
        case .paid, .processing, .failed, .cancelled, .noNetwork, .unknown: 90
        default: 44
        }
    }
}

extension SuperAppText {
    /// The line of a documented scope on a consent page.
    public init(_ scope: WalletScope) {
        switch scope {
        case .base, .baseUserInfo: self = .scopeBase
        case .user, .userInfo: self = .scopeProfile
        case .userID: self = .scopeUserID
        case .userLoginID: self = .scopeLogin
        case .hashLoginID: self = .scopeHashedLogin
        case .nickname: self = .scopeNickname
        case .name: self = .scopeName
        case .avatar: self = .scopePicture
        case .gender: self = .scopeGender
        case .birthday: self = .scopeBirthday
        case .nationality: self = .scopeNationality
        case .contactInfo: self = .scopeContact
        case .sendMessage: self = .scopeMessages
        case .notificationInbox: self = .scopeInbox
        case .agreementPay: self = .scopeAutomaticPayment
        case .cardList: self = .scopeCards
        }
    }

    /// What a person is told of a payment's end. An end that is not known never reads as a failure.
    public init(_ ending: PaymentEnding) {
        switch ending {
        case .paid: self = .paid
        case .processing: self = .processing
        case .failed: self = .failed
        case .cancelled, .leftForPassword: self = .cancelled
        case .networkError: self = .noNetwork
        case .unknown: self = .unknown
        }
    }
}
