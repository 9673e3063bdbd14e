"""The colours and fonts of a picture, as CSS.

A picture brings its own light background, so it reads the same in a light and a dark notebook.
"""

STYLE = """
text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
       fill: #1f2430 }
.paper { fill: #fbfaf6; stroke: #dedace }
.card { fill: #ffffff; stroke-width: 1.5 }
.leaf.card { stroke: #1f7a74 } .leaf.head { fill: #1f7a74 }
.op.card { stroke: #4a4e9c } .op.head { fill: #4a4e9c }
.on { fill: #ffffff; font-weight: bold }
.key { fill: #6b7080 }
.grad { fill: #b3410e }
.bad { fill: #c3002f; font-weight: bold }
.end { text-anchor: end }
.mid { text-anchor: middle }
.edge { fill: none; stroke: #9a9fb0; stroke-width: 1.5 }
.tip { fill: #9a9fb0 }
.lit { fill: #e8590c } .lit.edge { fill: none; stroke: #e8590c; stroke-width: 3 }
.ring { fill: none; stroke: #e8590c; stroke-width: 3.5 }
.pulse { fill: #b3410e; font-weight: bold; text-anchor: middle; stroke: #fbfaf6; stroke-width: 4px;
         paint-order: stroke; stroke-linejoin: round }
.halo { stroke: #fbfaf6; stroke-width: 4px; paint-order: stroke; stroke-linejoin: round }
"""
