package org.aspas.certify.identity;

/**
 * The identity of one server: its role and its place in the descriptor.
 *
 * @param index from 0, below the number of servers of that role; an appserver's index is its origin in version vectors
 */
public record NodeId(Role role, int index) implements Comparable<NodeId> {
    public NodeId {
        if (index < 0) {
            throw new IllegalArgumentException("index = " + index + " is negative");
        }
    }

    public static NodeId appserver(int index) {
        return new NodeId(Role.APPSERVER, index);
    }

    public static NodeId bftserver(int index) {
        return new NodeId(Role.BFTSERVER, index);
    }

    @Override
    public int compareTo(NodeId other) {
        int byRole = role.compareTo(other.role);
        return byRole != 0 ? byRole : Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return (role == Role.APPSERVER ? "appserver-" : "bftserver-") + index;
    }
}
