package org.aspas.emulab.sim.script;

import java.util.List;
import java.util.Map;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.client.core.ClientEvent;
import org.aspas.client.core.Failure;
import org.aspas.emulab.sim.adversary.BadClient;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.invariant.Detection;
import org.aspas.emulab.sim.invariant.Detections;
import org.aspas.emulab.sim.invariant.Fact;
import org.aspas.emulab.sim.invariant.Monitor;
import org.aspas.emulab.sim.invariant.Participants;
import org.aspas.emulab.sim.node.AppServerNode;
import org.aspas.emulab.sim.node.ClientNode;
import org.aspas.emulab.sim.node.World;

/**
 * What the parties of a run notice of each other, told to the guarantees and noted as {@link Detections}. Only what is noticed of
 * the Byzantine is noted; that correct parties are never blamed is for the guarantees to say.
 */
final class Observations implements AppServerNode.Listener, ClientNode.Listener {
    private final Participants participants;
    private final Schedule schedule;
    private final Detections detections;
    private final Monitor monitor;
    private final Timeline timeline;
    private final List<ClientNode> clients;
    private final Map<String, BadClient> badClients;
    private long newest;
    private long newestAt;
    private long longestGap;

    /**
     * Nothing is noticed yet.
     *
     * @param clients the correct clients, also those that are added later
     * @param badClients the Byzantine clients by role, also those that are added later
     */
    Observations(
            Participants participants,
            Schedule schedule,
            Detections detections,
            World world,
            List<ClientNode> clients,
            Map<String, BadClient> badClients) {
        this.participants = participants;
        this.schedule = schedule;
        this.detections = detections;
        this.monitor = world.monitor();
        this.timeline = world.timeline();
        this.clients = clients;
        this.badClients = badClients;
    }

    /** A Byzantine party did something that a correct one would not do; whether it was the first time. */
    boolean misdeed(Object culprit) {
        return detections.misdeed(culprit);
    }

    private boolean lies(int server) {
        return !participants.correct(server);
    }

    @Override
    public void blamed(ClientNode client, Failure failure) {
        if (lies(client.server().index())) {
            detections.noticed(Detection.Kind.NOTICED, client, client.server(), check(failure));
        }
    }

    private static String check(Failure failure) {
        return failure instanceof Failure.NotVerified found
                ? "check " + found.check().name()
                : failure.getClass().getSimpleName();
    }

    @Override
    public void told(ClientNode client, ClientEvent event) {
        schedule.told(client, event);
        if (event instanceof ClientEvent.Complained complained && lies(complained.server())) {
            detections.noticed(
                    Detection.Kind.PROVED,
                    client,
                    NodeId.appserver(complained.server()),
                    complained.kind().name());
        } else if (event instanceof ClientEvent.Switched switched && lies(switched.from())) {
            detections.noticed(
                    Detection.Kind.LEFT,
                    client,
                    NodeId.appserver(switched.from()),
                    switched.why().name());
        }
    }

    @Override
    public void alarm(int server, Alarm alarm) {
        NodeId by = NodeId.appserver(server);
        if (alarm instanceof Alarm.ForkedLog forked && lies(forked.origin())) {
            detections.noticed(Detection.Kind.NOTICED, by, NodeId.appserver(forked.origin()), "a forked log");
        } else if (alarm instanceof Alarm.BrokenLog broken && lies(broken.origin())) {
            detections.noticed(Detection.Kind.NOTICED, by, NodeId.appserver(broken.origin()), "a broken log");
        } else if (alarm instanceof Alarm.ForgedSnapshot forged && lies(forged.server())) {
            detections.noticed(Detection.Kind.NOTICED, by, NodeId.appserver(forged.server()), "a forged snapshot");
        } else if (alarm instanceof Alarm.ProvedFaulty proved && lies(proved.accused())) {
            detections.noticed(
                    Detection.Kind.PROVED,
                    by,
                    NodeId.appserver(proved.accused()),
                    proved.kind().name());
        }
    }

    @Override
    public void adopted(int server, Certificate certificate) {
        if (certificate.number().value() > newest) {
            longestGap = Math.max(longestGap, timeline.now() - newestAt);
            newest = certificate.number().value();
            newestAt = timeline.now();
        }
        for (Exclusion one : certificate.content().exclusions()) {
            if (lies(one.origin())) {
                detections.noticed(
                        Detection.Kind.EXCLUDED, "certificates", NodeId.appserver(one.origin()), "blacklist");
            }
        }
    }

    /** The longest time between two certificates so far, in microseconds. */
    long longestGap() {
        return longestGap;
    }

    void convicted(int replica, int server) {
        if (lies(server)) {
            detections.noticed(
                    Detection.Kind.VERDICT, NodeId.bftserver(replica), NodeId.appserver(server), "conviction");
        }
    }

    @Override
    public void sent(int server, ConnectionId connection, Message message) {
        if (message instanceof InspectReply reply) {
            monitor.check(new Fact.Inspected(server, reply));
        }
        if (message instanceof Blacklist word && fromSlanderer(connection)) {
            monitor.check(new Fact.FalseComplaint(server, word.finding()));
        }
        if (message instanceof Refusal refusal) {
            refused(server, connection, refusal);
        }
    }

    private boolean fromSlanderer(ConnectionId connection) {
        return badClients.values().stream().anyMatch(client -> client.slanders() && client.owns(connection));
    }

    private void refused(int server, ConnectionId connection, Refusal refusal) {
        if (refusal.reason() == Refusal.Reason.FALSE_COMPLAINTS && fromSlanderer(connection)) {
            monitor.check(new Fact.SlandererRefused(server));
        }
        for (ClientNode client : clients) {
            if (client.connection().equals(connection)) {
                monitor.check(new Fact.Refused(server, client.index(), refusal));
            }
        }
        badClients.forEach((role, client) -> {
            if (client.owns(connection)) {
                boolean out = refusal.reason() == Refusal.Reason.EXCLUDED;
                detections.noticed(
                        out ? Detection.Kind.EXCLUDED : Detection.Kind.REFUSED,
                        NodeId.appserver(server),
                        role,
                        refusal.reason().name());
            }
        });
    }
}
