package org.aspas.emulab.console.remote;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.quorum.Quorums;
import org.aspas.emulab.console.port.ActionFields;
import org.aspas.emulab.console.port.ActionRefused;
import org.aspas.emulab.console.port.ActionRefused.Why;
import org.aspas.emulab.console.port.NodeControl;

/** Does what a page asks for, to processes of this machine. */
final class NodeActions {
    static final List<String> NAMES = List.of("stop", "start", "freeze", "thaw");

    private NodeActions() {}

    /** Does an action, and returns what is done, in a sentence. */
    static String act(NodeControl control, Quorums quorums, String name, ObjectNode body) throws ActionRefused {
        if (!NAMES.contains(name)) {
            throw new ActionRefused(Why.NOT_AVAILABLE, "There is no action " + name + " here.");
        }
        NodeId node = new ActionFields(body, "node").node("node", quorums);
        try {
            boolean runs = control.running().contains(node);
            boolean frozen = control.frozen().contains(node);
            if (name.equals("start") == runs) {
                throw new ActionRefused(
                        Why.CONFLICT, node + (runs ? " runs already." : " does not run on this machine."));
            }
            if (name.equals("thaw") != frozen && runs) {
                throw new ActionRefused(Why.CONFLICT, node + (frozen ? " is frozen." : " is not frozen."));
            }
            return done(control, name, node);
        } catch (IOException failed) {
            throw new ActionRefused(Why.CONFLICT, node + ": " + failed.getMessage());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            throw new ActionRefused(Why.CONFLICT, "The console ends.");
        }
    }

    private static String done(NodeControl control, String name, NodeId node) throws IOException, InterruptedException {
        switch (name) {
            case "stop" -> control.stop(node);
            case "start" -> control.start(node);
            case "freeze" -> control.freeze(node);
            default -> control.thaw(node);
        }
        return node
                + switch (name) {
                    case "stop" -> " is killed";
                    case "start" -> " starts again";
                    case "freeze" -> " stands still";
                    default -> " goes on";
                };
    }
}
