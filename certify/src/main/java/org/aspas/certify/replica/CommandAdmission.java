package org.aspas.certify.replica;

import java.util.Optional;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.replica.AppserverQueue.Lane;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.VertObft;

/**
 * What an appserver may bring into the order (paper §3.5): VERTOBFT, STABLE and VERDICT that it signed itself, and nothing
 * else; and what counts before it is ordered: an appserver's STABLE, and another bftserver's own ACCEPT and COMMIT. The core asks; a
 * shell asks before, outside the core's thread, and what was right is remembered in the command. Thread-safe.
 */
public final class CommandAdmission {
    /** No ACCEPT or COMMIT is longer, so longer commands need not be decoded. */
    private static final int LONGEST_WORD = 512;

    private final Membership members;
    private final int commandBytes;

    public CommandAdmission(ReplicaSettings settings) {
        this.members = settings.members();
        this.commandBytes = settings.commandBytes();
    }

    public boolean admits(NodeId from, Command command) {
        return lane(from, command).isPresent();
    }

    /** Whether it is an ACCEPT or a COMMIT of the bftserver that gave it. Its signature is not looked at. */
    public boolean hears(NodeId from, Command command) {
        return word(from, command).isPresent();
    }

    /** The ACCEPT or COMMIT of the bftserver that gave it; empty for anything else. */
    Optional<Signed<? extends Message>> word(NodeId from, Command command) {
        boolean possible = from.role() == Role.BFTSERVER
                && from.index() < members.bftservers().size()
                && command.bytes().length <= LONGEST_WORD;
        if (!possible || !(command.frame().orElse(null) instanceof Frame.Sealed sealed)) {
            return Optional.empty();
        }
        Message message = sealed.signed().message();
        boolean own = message instanceof Accept accept
                ? accept.replica() == from.index()
                : message instanceof Commit commit && commit.replica() == from.index();
        return own ? Optional.of(sealed.signed()) : Optional.empty();
    }

    /** As what the command passes; empty when the sender may not bring it. */
    Optional<Lane> lane(NodeId from, Command command) {
        boolean possible = from.role() == Role.APPSERVER
                && from.index() < members.appservers().size()
                && command.bytes().length <= commandBytes;
        if (!possible || !(command.frame().orElse(null) instanceof Frame.Sealed sealed)) {
            return Optional.empty();
        }
        Optional<Lane> lane = lane(from.index(), sealed.signed().message());
        return lane.filter(of ->
                sealed.signed().verify(members.verifier(), members.appservers().get(from.index()), domain(of)));
    }

    private static Optional<Lane> lane(int server, Message message) {
        if (message instanceof VertObft report && report.server() == server) {
            return Optional.of(Lane.REPORT);
        } else if (message instanceof Stable answer && answer.server() == server) {
            return Optional.of(Lane.ANSWER);
        } else if (message instanceof Verdict verdict && verdict.server() == server) {
            return Optional.of(Lane.VERDICT);
        }
        return Optional.empty();
    }

    private static Domain domain(Lane lane) {
        return switch (lane) {
            case REPORT -> Domain.VERTOBFT;
            case ANSWER -> Domain.STABLE;
            case VERDICT -> Domain.VERDICT;
        };
    }
}
