package org.aspas.emulab.sim.invariant;

/** ORDER: no correct bftserver says that the order is broken while at most b bftservers lie. */
final class OrderTrusted extends Invariant {
    private final Participants participants;

    OrderTrusted(Participants participants) {
        super("ORDER");
        this.participants = participants;
    }

    @Override
    public void onOrderBroken(int replica) {
        boolean correct = !participants.lyingReplicas().contains(replica);
        if (correct
                && participants.lyingReplicas().size() <= participants.quorums().b()) {
            violated("bftserver " + replica + ", which is correct, says that the order is broken");
        }
    }
}
