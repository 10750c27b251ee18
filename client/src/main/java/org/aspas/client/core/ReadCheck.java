package org.aspas.client.core;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateLeaf;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ElementsProof;
import org.aspas.certify.wire.ObjectProof;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.StateLeaves;
import org.aspas.client.core.Failure.NotVerified;
import org.aspas.crdt.type.DataType;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/** Whether a verified certificate holds the value that a certified read got (the protocol page, docs/protocol.md §6). */
public final class ReadCheck {
    private ReadCheck() {}

    /** The number of the certificate that a read must be answered from; none if that is for the server to choose. */
    public static CertificateNumber wanted(Read read) {
        ReadPart part = read.part();
        return part == null ? CertificateNumber.NONE : part.certificate();
    }

    /** What is wrong with a value; empty when the certificate is as new as asked for, and proves the value. */
    public static Optional<NotVerified> check(Read read, Value value, Certificate certificate, ObjectProof proof) {
        boolean chosen = wanted(read).equals(certificate.number());
        if (!chosen
                && (read.certificate().isAfter(certificate.number())
                        || !wanted(read).equals(CertificateNumber.NONE))) {
            return ResponseCheck.wrong(
                    Check.READ_CERTIFICATE,
                    "the value is of certificate " + certificate.number() + ", asked for " + read.certificate()
                            + " or later");
        }
        return proves(read, value, proof, certificate.content().state())
                ? Optional.empty()
                : ResponseCheck.wrong(
                        Check.STATE_PROOF,
                        "the value of " + read.key() + " is not proved in certificate " + certificate.number());
    }

    /** What a value that was proved tells of all elements; null for a type without elements, and when there is no object. */
    public static @Nullable ElementsRead elements(Read read, ObjectProof proof) {
        ElementsProof elements = proof.elements();
        if (elements == null) {
            return null;
        }
        ReadPart part = read.part();
        Hash from = part == null ? null : part.from();
        Hash next = from == null ? null : elements.page().next(from).orElse(null);
        return new ElementsRead(elements.size(), elements.root(), next);
    }

    private static boolean proves(Read read, Value value, ObjectProof proof, Hash root) {
        Hash path = StateTree.objectPath(read.key());
        Optional<DataType> known = DataTypes.byName(read.type());
        if (known.isEmpty()) {
            return false;
        }
        Value none = known.get().empty().value();
        if (proof.type() == null) {
            return none.equals(value)
                    && proof.elements() == null
                    && proof.path().provesAbsence(root, path);
        }
        ElementsProof elements = proof.elements();
        boolean fits = read.type().equals(proof.type())
                && known.get().empty().elements().isPresent() == (elements != null)
                && (elements == null ? read.part() == null : proves(read.part(), value, elements));
        return fits && proof.path().provesPresence(root, path, leaf(read, value, elements));
    }

    private static Hash leaf(Read read, Value value, @Nullable ElementsProof elements) {
        return elements == null
                ? StateLeaves.object(read.key(), read.type(), value)
                : StateLeaves.object(read.key(), read.type(), elements.size(), elements.root());
    }

    /** Whether the elements of the answer are those that were asked for, and all of them. */
    private static boolean proves(@Nullable ReadPart part, Value value, ElementsProof proof) {
        if (!(value instanceof Value.Sequence found)
                || found.items().size() != proof.states().size()
                || !found.items().stream().allMatch(DataTypes::isElement)
                || !ascending(found.items())) {
            return false;
        }
        List<StateLeaf> leaves = new ArrayList<>(found.items().size());
        for (int i = 0; i < found.items().size(); i++) {
            Value element = found.items().get(i);
            leaves.add(new StateLeaf(
                    StateLeaves.elementPath(element),
                    StateLeaves.element(element, proof.states().get(i))));
        }
        leaves.sort(Comparator.comparing(StateLeaf::path));
        Value element = part == null ? null : part.element();
        if (element != null) {
            return proof.page().provesOne(proof.root(), StateLeaves.elementPath(element), leaves);
        }
        Hash from = part == null ? null : part.from();
        return from == null
                ? proof.page().bits() == 0
                        && leaves.size() == proof.size()
                        && proof.page().proves(proof.root(), Hash.ZERO, leaves)
                : proof.page().proves(proof.root(), from, leaves);
    }

    private static boolean ascending(List<Value> items) {
        for (int i = 1; i < items.size(); i++) {
            if (items.get(i - 1).compareTo(items.get(i)) >= 0) {
                return false;
            }
        }
        return true;
    }
}
