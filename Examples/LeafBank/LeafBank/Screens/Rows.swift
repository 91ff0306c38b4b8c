import UIKit

/// Views under one another, from the top of the safe area.
final class Rows: UIStackView {
    convenience init(in view: UIView, _ rows: [UIView]) {
        self.init(arrangedSubviews: rows)
        axis = .vertical
        spacing = 16
        translatesAutoresizingMaskIntoConstraints = false
        view.backgroundColor = .systemBackground
        view.addSubview(self)
        NSLayoutConstraint.activate([
            topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 24),
            leadingAnchor.constraint(equalTo: view.safeAreaLayoutGuide.leadingAnchor, constant: 20),
            trailingAnchor.constraint(equalTo: view.safeAreaLayoutGuide.trailingAnchor, constant: -20),
        ])
    }
}

extension UILabel {
    /// A text of as many lines as it needs.
    static func text(bold: Bool = false) -> UILabel {
        let label = UILabel()
        label.numberOfLines = 0
        label.font = bold ? .boldSystemFont(ofSize: 20) : .systemFont(ofSize: 17)
        return label
    }
}
