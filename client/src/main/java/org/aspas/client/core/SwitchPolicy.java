package org.aspas.client.core;

import java.util.Optional;
import java.util.TreeSet;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.ClientEvent.Why;
import org.jspecify.annotations.Nullable;

/**
 * When the client leaves its server (the protocol page, docs/protocol.md §6): for a reason that was found in a step, or when
 * it refuses the client. To doubt a server that responds is a reason only while the budget allows it. Between two ticks it leaves no more often than
 * there are servers; what is more waits for the next tick.
 */
public final class SwitchPolicy {
    private final ClientSettings settings;
    private final Servers servers;
    private final SwitchBudget budget;
    private final Step step;
    private final TreeSet<Integer> refusedBy = new TreeSet<>();
    /** The servers that have greeted as others than the descriptor says. */
    private final TreeSet<Integer> strangers = new TreeSet<>();

    private int sinceTick;

    private Step.@Nullable Leave postponed;

    public SwitchPolicy(ClientSettings settings, Servers servers, SwitchBudget budget, Step step) {
        this.settings = settings;
        this.servers = servers;
        this.budget = budget;
        this.step = step;
    }

    /** The present server broke the protocol, or refuses what it need not: a client that stays with it connects anew. */
    public void leaveOrReconnect(Why why, String detail) {
        if (servers.switching()) {
            step.leave(why, detail);
        } else {
            step.now(new Effect.Reconnect(detail));
        }
    }

    /** Takes up the reason to leave that was postponed, if there is one. */
    public void tick() {
        sinceTick = 0;
        if (postponed != null) {
            step.leave(postponed.why(), postponed.detail());
            postponed = null;
        }
    }

    /** Updates are confirmed: refusals before that count no more. */
    public void progress() {
        refusedBy.clear();
    }

    /** The present server takes this client, whatever it said before. */
    public void accepted() {
        refusedBy.remove(servers.current());
    }

    /**
     * The server refuses this client as such. One server can lie; f+1 that refuse cannot all.
     *
     * @return whether the client has to believe it; otherwise there is a reason to leave
     */
    public boolean refused(Refusal refusal) {
        boolean whole = refusal.reference() == 0 || refusal.reason() == Refusal.Reason.EXCLUDED;
        if (servers.hear(refusedBy) && (servers.switching() || whole)) {
            return true;
        }
        step.leave(Why.REFUSED, refusal.detail());
        return false;
    }

    /** What is wrong with a greeting: another deployment, or another server; empty when it is right. */
    public Optional<Failure.WrongServer> wrongServer(Hello hello) {
        Hash deployment = settings.verifier().deployment();
        return hello.deployment().equals(deployment) && hello.server() == servers.current()
                ? Optional.empty()
                : Optional.of(
                        new Failure.WrongServer(deployment, hello.deployment(), servers.current(), hello.server()));
    }

    /**
     * The server has greeted as another one.
     *
     * @return whether the client has to believe that its own descriptor is stale, if it never had a session
     */
    public boolean doubtDescriptor() {
        return servers.hear(strangers);
    }

    /** The reason for which to leave now, if any. */
    public Step.@Nullable Leave due() {
        Step.Leave leave = step.takeLeave();
        if (leave == null || !servers.switching()) {
            return null;
        }
        boolean paid = leave.why().doubt() && !leave.why().unresponsive();
        if (paid && !budget.allows()) {
            return null; // What is unconfirmed for too long is so at the next tick too.
        }
        sinceTick++;
        if (sinceTick <= settings.servers()) {
            return leave;
        }
        postponed = leave;
        return null;
    }
}
