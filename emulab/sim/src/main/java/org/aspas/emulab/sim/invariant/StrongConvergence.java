package org.aspas.emulab.sim.invariant;

import java.util.HashMap;
import java.util.Map;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.client.core.Effect;
import org.aspas.client.core.ElementsRead;
import org.aspas.client.core.Event;
import org.aspas.emulab.sim.model.Discrepancy;
import org.aspas.emulab.sim.model.ReferenceModel;

/**
 * G2: correct appservers with the same entries have the same state, and it is the right one. The state root of every
 * certificate that a correct bftserver signs is the reference model's, certified reads of correct clients return the
 * model's value, and at the end every correct appserver's values, live and certified, follow from its disk. Each server
 * compares its own state with every certificate that it adopts, and alarms if they differ; at the end, the values of
 * appservers with equal log roots must be equal, and without Byzantine parties all of them.
 */
final class StrongConvergence extends Invariant {
    /** One certificate in so many, chosen by its hash, is computed from all entries at once. */
    private static final int FROM_SCRATCH = 16;

    private record Place(String key, boolean certified, Hash roots) {}

    private final Participants participants;
    private final Reference reference;

    StrongConvergence(Participants participants, Reference reference) {
        super("G2");
        this.participants = participants;
        this.reference = reference;
        on(Fact.ShareSent.class, reference.whenFirstSigned(this::signed));
        on(Fact.ReadDone.class, fact -> read(fact.client(), fact.asked(), fact.done()));
        on(Fact.Alarmed.class, fact -> {
            if (fact.alarm() instanceof Alarm.StateDiverged) {
                violated("appserver " + fact.server() + ": " + fact.alarm());
            }
        });
        on(Fact.Ended.class, this::ended);
    }

    private void signed(CertificateContent content, Reference.Findings findings) {
        findings.discrepancies().stream()
                .filter(one -> one.about() == Discrepancy.About.STATE)
                .forEach(one -> violated(one.text()));
        if (Math.floorMod(content.state().hashCode(), FROM_SCRATCH) == 0) {
            fromScratch();
        }
    }

    private void fromScratch() {
        reference
                .model()
                .content(reference.model().number())
                .filter(content -> !content.state().equals(reference.model().stateFromScratch()))
                .ifPresent(content -> violated("the state root of certificate " + content.number()
                        + " does not follow from all that is certified"));
    }

    private void read(int client, Event.ReadAsked asked, Effect.ReadDone done) {
        if (asked.certified()) {
            ElementsRead elements = done.elements();
            Hash next = elements == null ? null : elements.next();
            reference
                    .certifiedRead(
                            asked.key(),
                            asked.type(),
                            done.certificateNumber().value(),
                            done.value(),
                            whole -> ReferenceModel.part(whole, asked.part(), next))
                    .ifPresent(wrong -> violated("client " + client + " read: " + wrong));
        }
    }

    private void ended(Fact.Ended fact) {
        fromScratch();
        Map<Place, FinalRead> first = new HashMap<>();
        for (FinalRead read : fact.reads()) {
            reference.read(read).ifPresent(wrong -> violated("at appserver " + read.server() + " " + wrong));
            Hash roots = participants.honest() && fact.unsettled().isEmpty() ? Hash.ZERO : read.roots();
            FinalRead other = first.putIfAbsent(new Place(read.key(), read.certified(), roots), read);
            if (other != null && !other.value().equals(read.value())) {
                violated((read.certified() ? "certified " : "live ") + read.key() + " is " + other.value()
                        + " at appserver " + other.server() + " and " + read.value() + " at appserver "
                        + read.server() + ", at versions " + other.version() + " and " + read.version());
            }
        }
    }
}
