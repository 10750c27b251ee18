package org.aspas.emulab.sim.adversary;

import java.util.List;
import java.util.function.Consumer;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.node.ReplicaConduct;
import org.aspas.emulab.sim.node.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A bftserver that says, whenever another one has spoken of its record, that its own record has the proof of a content that nobody
 * decided: in the place and the attempt of one that others have proven, with ACCEPTs that it signed in their names.
 */
final class FalseRecords implements ReplicaConduct {
    private final AdversaryContext power;
    private @Nullable Recover own;
    private @Nullable ProvenContent proven;
    private boolean due;

    FalseRecords(AdversaryContext power) {
        this.power = power;
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        if (BadReplica.sealed(new Wire(command)) instanceof Recover statement) {
            own = statement;
            remember(statement);
            lie(statement, exit);
        } else {
            exit.accept(command);
        }
    }

    @Override
    public void ordered(Wire command) {
        if (BadReplica.sealed(command) instanceof Recover statement
                && statement.replica() != power.self().index()) {
            remember(statement);
            due = true;
        }
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        Recover mine = own;
        if (due && mine != null) {
            lie(mine, exit);
        }
        due = false;
    }

    private void remember(Recover statement) {
        ProvenContent one = statement.proven();
        ProvenContent old = proven;
        if (one != null && (old == null || !old.number().isAfter(one.number()))) {
            proven = one;
        }
    }

    private void lie(Recover mine, Consumer<byte[]> exit) {
        ProvenContent right = proven;
        Recover said = right == null
                ? mine
                : new Recover(
                        mine.replica(),
                        mine.start(),
                        mine.answers(),
                        mine.knowing(),
                        mine.epoch(),
                        right.number(),
                        right.attempt(),
                        forged(right));
        exit.accept(Codec.encode(power.sealer().seal(said)));
    }

    private ProvenContent forged(ProvenContent right) {
        CertificateContent content = right.content();
        CertificateContent wrong =
                WrongCertificates.withState(content, Hash.sha256(content.state().toBytes()));
        byte[] payload = Codec.encode(wrong);
        Hash hash = Hash.sha256(payload);
        List<Signed<Accept>> accepts = right.accepts().stream()
                .map(Signed::message)
                .map(accept ->
                        power.sealer().seal(new Accept(accept.replica(), accept.number(), accept.attempt(), hash)))
                .toList();
        return new ProvenContent(wrong, payload, accepts);
    }
}
