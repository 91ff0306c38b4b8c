public import Foundation

/// A question of yes or no.
@MainActor
@preconcurrency
open class UISwitch: UIControl {
    open var isOn = false
    open var onTintColor: UIColor?
    open var thumbTintColor: UIColor?

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Sets it, without telling anybody.
    open func setOn(_ on: Bool, animated: Bool) { isOn = on }

    /// The customer's finger: it changes, and says so.
    open override func sendTap() {
        guard isEnabled, canBeTouched else { return }
        isOn.toggle()
        sendActions(for: [.valueChanged, .primaryActionTriggered])
    }
}

/// One choice of a few.
@MainActor
@preconcurrency
open class UISegmentedControl: UIControl {
    /// What no segment is.
    public nonisolated static let noSegment = -1

    open var selectedSegmentIndex = UISegmentedControl.noSegment
    open var selectedSegmentTintColor: UIColor?
    open var isMomentary = false
    private var segments: [(title: String?, isEnabled: Bool)] = []

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Segments of texts, or of pictures.
    public convenience init(items: [Any]?) {
        self.init(frame: .zero)
        for item in items ?? [] { segments.append((item as? String, true)) }
    }

    open var numberOfSegments: Int { segments.count }

    /// Adds a segment at a place among the others.
    open func insertSegment(withTitle title: String?, at segment: Int, animated: Bool) {
        segments.insert((title, true), at: min(max(segment, 0), segments.count))
    }

    /// Takes every segment away.
    open func removeAllSegments() {
        segments = []
        selectedSegmentIndex = Self.noSegment
    }

    /// Says what a segment says.
    open func setTitle(_ title: String?, forSegmentAt segment: Int) { segments[segment].title = title }

    /// What a segment says.
    open func titleForSegment(at segment: Int) -> String? { segments[segment].title }

    /// Whether a segment can be chosen.
    open func setEnabled(_ enabled: Bool, forSegmentAt segment: Int) { segments[segment].isEnabled = enabled }

    /// Whether a segment can be chosen.
    open func isEnabledForSegment(at segment: Int) -> Bool { segments[segment].isEnabled }

    /// The customer's finger on a segment. Who listens hears of a change alone.
    ///
    /// - Returns: False where there is no such segment, or it can't be chosen.
    @discardableResult
    public func sendTap(on title: String) -> Bool {
        guard isEnabled, canBeTouched, let segment = segments.firstIndex(where: { $0.title == title && $0.isEnabled }) else { return false }
        guard segment != selectedSegmentIndex else { return true }
        selectedSegmentIndex = segment
        sendActions(for: [.valueChanged, .primaryActionTriggered])
        if isMomentary { selectedSegmentIndex = Self.noSegment }
        return true
    }

    var titles: [String] { segments.compactMap(\.title) }
}

/// A number that the customer slides.
@MainActor
@preconcurrency
open class UISlider: UIControl {
    open var minimumValue: Float = 0
    open var maximumValue: Float = 1
    open var isContinuous = true
    open var minimumTrackTintColor: UIColor?
    private var number: Float = 0

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Never outside of what is allowed.
    open var value: Float {
        get { number }
        set { number = min(max(newValue, minimumValue), maximumValue) }
    }

    /// Sets it, without telling anybody.
    open func setValue(_ value: Float, animated: Bool) { self.value = value }

    /// The customer's finger, which slides it there.
    public func sendValue(_ value: Float) {
        guard isEnabled, canBeTouched else { return }
        self.value = value
        sendActions(for: [.valueChanged, .primaryActionTriggered])
    }
}

/// A number that the customer raises and lowers, such as that of goods.
@MainActor
@preconcurrency
open class UIStepper: UIControl {
    open var minimumValue = 0.0
    open var maximumValue = 100.0
    open var stepValue = 1.0
    open var wraps = false
    private var number = 0.0

    public override init(frame: CGRect) { super.init(frame: frame) }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// Never outside of what is allowed.
    open var value: Double {
        get { number }
        set { number = min(max(newValue, minimumValue), maximumValue) }
    }

    /// The customer's finger on plus, or on minus.
    public func sendStep(up: Bool = true) {
        guard isEnabled, canBeTouched else { return }
        let before = value
        let next = before + (up ? stepValue : -stepValue)
        value = !wraps ? next : next > maximumValue ? minimumValue : next < minimumValue ? maximumValue : next
        if value != before { sendActions(for: [.valueChanged, .primaryActionTriggered]) }
    }
}

/// How much is done.
@MainActor
@preconcurrency
open class UIProgressView: UIView {
    /// How it is drawn.
    public enum Style: Int, Sendable {
        case `default` = 0
        case bar
    }

    open var progressTintColor: UIColor?
    open var trackTintColor: UIColor?
    open private(set) var progressViewStyle = Style.default
    /// What is under way, in place of a part that the app sets.
    open var observedProgress: Progress?
    private var part: Float = 0 { didSet { observers.tell() } }

    public override init(frame: CGRect) { super.init(frame: frame) }

    public convenience init(progressViewStyle style: Style) {
        self.init(frame: .zero)
        progressViewStyle = style
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }

    /// From 0 to 1.
    open var progress: Float {
        get { observedProgress.map { Float($0.fractionCompleted) } ?? part }
        set { part = min(max(newValue, 0), 1) }
    }

    /// Sets it.
    open func setProgress(_ progress: Float, animated: Bool) { self.progress = progress }
}
