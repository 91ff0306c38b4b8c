/// Who may read a value that stands in a message.
public struct OSLogPrivacy: Sendable, Hashable {
    /// How a value that is not shown is told from others.
    public enum Mask: Sendable, Hashable {
        /// Equal values look alike.
        case hash
        /// Nothing is told.
        case none
    }

    enum Reader: Sendable, Hashable {
        /// Numbers are shown to all, texts and objects to nobody.
        case automatic
        case everybody
        case nobody
    }

    var reader: Reader
    var mask: Mask

    /// Shows numbers, and hides texts and objects.
    public static var auto: Self { Self(reader: .automatic, mask: .none) }
    /// Shows the value.
    public static var `public`: Self { Self(reader: .everybody, mask: .none) }
    /// Hides the value.
    public static var `private`: Self { Self(reader: .nobody, mask: .none) }
    /// Hides the value, as ``private`` does here; on a device a debugger shows that and not this.
    public static var sensitive: Self { Self(reader: .nobody, mask: .none) }

    /// Shows numbers, and hides texts and objects behind a mask.
    public static func auto(mask: Mask) -> Self { Self(reader: .automatic, mask: mask) }
    /// Hides the value behind a mask.
    public static func `private`(mask: Mask) -> Self { Self(reader: .nobody, mask: mask) }
    /// Hides the value behind a mask.
    public static func sensitive(mask: Mask) -> Self { Self(reader: .nobody, mask: mask) }

    /// The value as a log shows it to somebody without a debugger.
    func shown(_ value: String, isNumber: Bool) -> String {
        if reader == .everybody || reader == .automatic && isNumber { return value }
        // What stands behind a mask is no secret's hash: the seed changes with each process.
        return mask == .hash ? "<mask.hash: '\(String(value.hashValue, radix: 16))'>" : "<private>"
    }
}

/// Texts to the left or to the right of a column.
public struct OSLogStringAlignment: Sendable, Hashable {
    var columns: Int
    var isRight: Bool

    /// As it comes.
    public static var none: Self { Self(columns: 0, isRight: false) }
    /// Fills up to a number of columns behind the text.
    public static func left(columns: @autoclosure () -> Int) -> Self { Self(columns: columns(), isRight: false) }
    /// Fills up to a number of columns before the text.
    public static func right(columns: @autoclosure () -> Int) -> Self { Self(columns: columns(), isRight: true) }

    func aligned(_ text: String) -> String {
        let space = String(repeating: " ", count: max(0, columns - text.count))
        return isRight ? space + text : text + space
    }
}

/// A message with the values in it, each shown or hidden.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    /// Puts a message together.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text = ""

        /// Begins an empty message.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Adds what the code itself says: it is shown.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a number: it is shown where nothing else is said.
        public mutating func appendInterpolation<Number: BinaryInteger>(
            _ number: @autoclosure () -> Number, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.aligned(privacy.shown("\(number())", isNumber: true))
        }

        /// Adds a number: it is shown where nothing else is said.
        public mutating func appendInterpolation<Number: BinaryFloatingPoint>(
            _ number: @autoclosure () -> Number, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.aligned(privacy.shown("\(number())", isNumber: true))
        }

        /// Adds yes or no: it is shown where nothing else is said.
        public mutating func appendInterpolation(_ answer: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
            text += privacy.shown("\(answer())", isNumber: true)
        }

        /// Adds a value by its description: it is hidden where nothing else is said.
        public mutating func appendInterpolation<Value: CustomStringConvertible>(
            _ value: @autoclosure () -> Value, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
        ) {
            text += align.aligned(privacy.shown(value().description, isNumber: false))
        }

        /// Adds an object by its description: it is hidden where nothing else is said.
        public mutating func appendInterpolation(_ object: @autoclosure () -> AnyObject?, privacy: OSLogPrivacy = .auto) {
            text += privacy.shown(object().map { "\($0)" } ?? "nil", isNumber: false)
        }

        /// Adds an error: it is hidden where nothing else is said.
        public mutating func appendInterpolation(_ error: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto) {
            text += privacy.shown("\(error())", isNumber: false)
        }

        /// Adds a type's name: it is shown where nothing else is said.
        public mutating func appendInterpolation(_ type: @autoclosure () -> any Any.Type, privacy: OSLogPrivacy = .auto) {
            text += privacy.shown("\(type())", isNumber: true)
        }
    }

    /// As a log shows it.
    let shown: String

    /// Takes a message without values.
    public init(stringLiteral value: String) { shown = value }
    /// Takes a message with values.
    public init(stringInterpolation: StringInterpolation) { shown = stringInterpolation.text }
}
