import UIKit

/// A mini program's page: its data as text, and its buttons.
final class ProgramViewController: UIViewController {
    private let run: ProgramRun
    private let person: Person
    private let lines = UIStackView()
    private let buttons = UIStackView()
    private var shown: [PageButton] = []

    init(run: ProgramRun, person: Person) {
        self.run = run
        self.person = person
        super.init(nibName: nil, bundle: nil)
        title = run.name
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        let close = UIButton(type: .system, primaryAction: UIAction(title: "Close") { [weak self] _ in self?.close() })
        for stack in [lines, buttons] {
            stack.axis = .vertical
            stack.spacing = 8
        }
        let all = UIStackView(arrangedSubviews: [lines, buttons, close])
        all.axis = .vertical
        all.spacing = 16
        view.fill(with: all)
        run.onChange = { [weak self] in self?.show() }
        run.onEnd = { [weak self] error in
            if error != nil { self?.close() }
        }
        show()
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        // What the mini program asks of a person is asked here.
        person.screen = self
    }

    private func show() {
        for (index, text) in run.lines.enumerated() { label(index).text = text }
        for label in lines.arrangedSubviews.dropFirst(run.lines.count) { label.removeFromSuperview() }
        guard shown != run.buttons else { return }
        shown = run.buttons
        for button in buttons.arrangedSubviews { button.removeFromSuperview() }
        for button in shown {
            let action = UIAction(title: button.title) { [weak self] _ in self?.run.press(button) }
            buttons.addArrangedSubview(UIButton(type: .system, primaryAction: action))
        }
    }

    private func label(_ index: Int) -> UILabel {
        if index < lines.arrangedSubviews.count, let label = lines.arrangedSubviews[index] as? UILabel { return label }
        let label = UILabel()
        label.numberOfLines = 0
        lines.addArrangedSubview(label)
        return label
    }

    private func close() {
        run.end()
        navigationController?.popViewController(animated: true)
    }
}
