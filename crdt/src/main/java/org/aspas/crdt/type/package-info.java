/**
 * The data types.
 *
 * <p>{@link org.aspas.crdt.type.DataTypes} finds a {@link org.aspas.crdt.type.DataType} by the name under
 * which objects are created. A data type checks operations, makes empty states and decodes encoded ones; a
 * {@link org.aspas.crdt.type.Crdt} is the state of one object.
 *
 * <p>Every type keeps the same contract, which the tests check on random schedules. The value is a function
 * of the <em>set</em> of tagged operations, as the table gives it. Replicas with the same set have equal
 * {@code value()} and {@code state()}, and {@code decode(state())} restores the state.
 *
 * <table>
 * <caption>Types</caption>
 * <tr><th>Name</th><th>Operations</th><th>Value</th><th>Meaning</th></tr>
 * <tr><td>{@code pn-counter}</td><td>{@code increment n}, {@code decrement n}, n at least 1</td>
 *   <td>an integer</td><td>the sum, in 64-bit wrap-around arithmetic</td></tr>
 * <tr><td>{@code aw-set}</td><td>{@code add e}, {@code remove e}, {@code clear}</td>
 *   <td>the elements, ascending</td><td>an element is present if some addition of it was not observed by any
 *   removal of it and by any clear; so an addition wins over a concurrent removal</td></tr>
 * </table>
 */
@NullMarked
package org.aspas.crdt.type;

import org.jspecify.annotations.NullMarked;
