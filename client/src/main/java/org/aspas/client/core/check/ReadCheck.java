package org.aspas.client.core.check;

import java.util.Optional;
import org.aspas.certify.codec.StateLeaves;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.message.Certificate;
import org.aspas.certify.message.ObjectProof;
import org.aspas.certify.message.Read;
import org.aspas.certify.state.StateTree;
import org.aspas.client.core.port.Check;
import org.aspas.client.core.port.Failure.NotVerified;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;

/** Whether a verified certificate holds the value that a certified read got (the protocol page, docs/protocol.md §6). */
public final class ReadCheck {
    private ReadCheck() {}

    /** What is wrong with a value; empty when the certificate is as new as asked for, and proves the value. */
    public static Optional<NotVerified> check(Read read, Value value, Certificate certificate, ObjectProof proof) {
        if (read.certificate().isAfter(certificate.number())) {
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

    private static boolean proves(Read read, Value value, ObjectProof proof, Hash root) {
        Hash path = StateTree.objectPath(read.key());
        String type = proof.type();
        Hash digest = proof.stateDigest();
        if (type == null || digest == null) {
            Optional<Value> none =
                    DataTypes.byName(read.type()).map(known -> known.empty().value());
            return none.equals(Optional.of(value)) && proof.path().provesAbsence(root, path);
        }
        return type.equals(read.type())
                && proof.path().provesPresence(root, path, StateLeaves.object(read.key(), type, value, digest));
    }
}
